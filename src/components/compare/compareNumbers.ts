import { readArrow } from "../../host/arrowReader.js";
import { tableColumns } from "../blobColumns.js";
import { element, uniqueId } from "../element.js";
import { count } from "../format.js";
import { RowTable } from "../rowTable.js";
import type { ComparedRun } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";
import { forChosen } from "./forChosen.js";
import type { TableKind } from "./runReaderWorker.js";

const kinds: Record<TableKind, string> = {
  parameters: "parameters, a row a blob",
  gradients: "gradients, a row a step and blob",
  metrics: "metrics, a row a recorded step",
};

/**
 * The rows of one table of one run, as its Arrow file has them: read and sorted in workers, so that millions of them do
 * not hold the page up.
 */
export function compareNumbers(comparison: Comparison): HTMLElement {
  return forChosen(comparison, 480, async (chosen) => {
    const files = chosen.flatMap((run) =>
      (Object.keys(kinds) as TableKind[]).flatMap((kind) => (run.tables[kind] ? [{ run, kind }] : [])),
    );
    if (files.length === 0) return undefined;
    const place = element("div");
    const options = files.map(({ run, kind }, i) => element("option", { value: i }, `${run.name}: ${kinds[kind]}`));
    const choice = element("select", { id: uniqueId("numbers") }, ...options);
    let asked = 0;
    const show = async () => {
      const mine = ++asked;
      const { run, kind } = files[Number(choice.value)];
      place.replaceChildren(element("p", { class: "chart-waiting" }, "Reading…"));
      try {
        const table = await tableOf(run, kind);
        if (mine === asked) place.replaceChildren(table);
      } catch (error) {
        comparison.complain((error as Error).message);
        if (mine === asked) place.replaceChildren(element("p", { class: "chart-waiting" }, "It cannot be read."));
      }
    };
    choice.addEventListener("change", () => void show());
    void show();
    const label = element("label", { for: choice.id }, "Table");
    return element("div", {}, element("div", { class: "field" }, label, choice), place);
  });
}

async function tableOf(run: ComparedRun, kind: TableKind): Promise<HTMLElement> {
  const { rows, columns } = await readArrow(await run.tables[kind]!(), `${run.name}/${kind}.arrow`);
  const numbers = Object.entries(columns).flatMap(([name, values]) =>
    Array.isArray(values) ? [] : [[name, values] as const],
  );
  const shown = tableColumns(Object.fromEntries(numbers));
  const table = new RowTable(run.name, "row", shown.names, () => void show());
  const show = () => table.show(shown, `${kind}.arrow, ${count(rows)} rows`);
  await show();
  return table.node;
}
