import { columnsOf, isTable, type Table } from "../tables/columnsOf.js";
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
  all.Chart = js(chartOf(values));
  const table = [...values].find(([, value]) => columnsOf(value).length > 0)?.[0];
  if (table) all.Table = js(`Inputs.table(${values.has("parameters") ? "parameters" : table})`);
  if (values.has("train") && values.has("learningRate")) all["Sweep a setting"] = js(sweep);
  return all;
}

const sweep = `const results = [];
for (const learningRate of [0.003, 0.01, 0.03]) {
  const trial = train({engine, image, ...options, blobs, tile, gaussiansPerBlock, learningRate, steps: 200}, invalidation);
  await trial.finished;
  results.push({learningRate, psnr: trial.psnr});
}
display(Plot.dot(results, {x: "learningRate", y: "psnr", tip: true}).plot({grid: true, x: {type: "log"}}));`;

/** Returns the source of a cell that charts the blobs of the page, or else the first table among named values. */
function chartOf(values: ReadonlyMap<string, unknown>): string {
  if (columnsOf(values.get("parameters")).includes("center_x_decoded")) {
    return `Plot.plot({
  aspectRatio: 1,
  y: {reverse: true},
  marks: [Plot.dot(parameters, {x: "center_x_decoded", y: "center_y_decoded", r: "opacity_decoded", tip: true})]
})`;
  }
  const isNumber = (value: unknown, name: string) => typeof rowOf(value)?.[name] === "number";
  for (const [name, value] of values) {
    const [x, y] = columnsOf(value).filter((column) => isNumber(value, column));
    if (y) return `Plot.plot({\n  grid: true,\n  marks: [Plot.dot(${name}, {x: "${x}", y: "${y}", tip: true})]\n})`;
  }
  return "Plot.lineY([3, 1, 4, 1, 5, 9, 2, 6]).plot({grid: true})";
}

function rowOf(value: unknown): Record<string, unknown> | undefined {
  return isTable(value) ? (value as Table & { get(row: number): never }).get(0) : (value as never[])[0];
}
