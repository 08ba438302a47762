import { columnsOf } from "../tables/columnsOf.js";
import type { CellLanguage } from "./pageEdits.js";

/** A cell to start from. */
export interface Template {
  language: CellLanguage;
  source: string;
}

/** Returns templates by name, of the values of a page by name. Those that do something run at once. */
export function templates(values: ReadonlyMap<string, unknown>): Record<string, Template> {
  const js = (source: string): Template => ({ language: "js", source });
  const all: Record<string, Template> = { JavaScript: js(""), TypeScript: { language: "ts", source: "" } };
  all.Markdown = js(`md\`The value is **\${${values.has("snapshot") ? "snapshot.loss" : "1 + 1"}}**.\``);
  const table = ["parameters", ...values.keys()].find((name) => columnsOf(values.get(name)).length > 1);
  all.Chart = js(
    table ? chartOf(table, columnsOf(values.get(table))) : "Plot.lineY([3, 1, 4, 1, 5]).plot({grid: true})",
  );
  if (table) all.Table = js(`Inputs.table(${table})`);
  if (values.has("train") && values.has("learningRate")) all["Sweep a setting"] = js(sweep);
  return all;
}

/** Returns the source of a chart of the first columns, or of the blobs' centres. */
function chartOf(table: string, columns: string[]): string {
  if (!columns.includes("center_x_decoded")) {
    return `Plot.dot(${table}, {x: "${columns[0]}", y: "${columns[1]}", tip: true}).plot({grid: true})`;
  }
  return `Plot.plot({
  aspectRatio: 1,
  y: {reverse: true},
  marks: [Plot.dot(${table}, {x: "center_x_decoded", y: "center_y_decoded", r: "opacity_decoded", tip: true})]
})`;
}

const sweep = `const results = [];
for (const learningRate of [0.003, 0.01, 0.03]) {
  const trial = train({engine, image, ...options, blobs, tile, gaussiansPerBlock, learningRate, steps: 200}, invalidation);
  await trial.finished;
  results.push({learningRate, psnr: trial.psnr});
}
display(Plot.dot(results, {x: "learningRate", y: "psnr", tip: true}).plot({grid: true, x: {type: "log"}}));`;
