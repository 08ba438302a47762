import { columnsOf } from "../tables/columnsOf.js";

/** Returns the sources of cells to start from by name, for the values of a page. Those that do something run at once. */
export function templates(values: ReadonlyMap<string, unknown>): Record<string, string> {
  const all: Record<string, string> = {
    JavaScript: "",
    Markdown: `md\`The value is **\${${values.has("snapshot") ? "snapshot.loss" : "1 + 1"}}**.\``,
    Chart: "Plot.lineY([3, 1, 4, 1, 5]).plot({grid: true})",
  };
  const table = ["parameters", ...values.keys()].find((name) => columnsOf(values.get(name)).length > 1);
  if (table) {
    const columns = columnsOf(values.get(table));
    const areBlobs = columns.includes("center_x_decoded");
    const [x, y] = areBlobs ? ["center_x_decoded", "center_y_decoded"] : columns;
    const plot = areBlobs ? "{aspectRatio: 1, y: {reverse: true}}" : "{grid: true}";
    all.Chart = `Plot.dot(${table}, {x: "${x}", y: "${y}", tip: true}).plot(${plot})`;
    all.Table = `Inputs.table(${table})`;
  }
  if (values.has("train") && values.has("learningRate")) all["Sweep a setting"] = sweep;
  return all;
}

const sweep = `const results = [];
for (const learningRate of [0.003, 0.01, 0.03]) {
  const trial = train({engine, image, ...options, blobs, tile, gaussiansPerBlock, learningRate, steps: 200}, invalidation);
  await trial.finished;
  results.push({learningRate, psnr: trial.psnr});
}
display(Plot.dot(results, {x: "learningRate", y: "psnr", tip: true}).plot({grid: true, x: {type: "log"}}));`;
