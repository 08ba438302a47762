import type { Scaling } from "../../engine/scaling.js";
import { element } from "../element.js";
import { count } from "../format.js";
import { bytesEach, pipelinesOf, pixels, series } from "./scalingFacts.js";

/** Bytes a blob and a pixel of each pipeline, from the sweeps. */
export function memoryTable({ rows }: Scaling): HTMLElement {
  const lines = pipelinesOf(rows).map((pipeline) => {
    const byBlob = bytesEach(series(rows, "blobs", pipeline), ({ blobs }) => blobs);
    const byPixel = bytesEach(series(rows, "image", pipeline), pixels);
    return {
      pipeline,
      cells: [byBlob, byPixel].flatMap((line) => (line ? [count(line.each), within(line.off)] : ["–", "–"])),
    };
  });
  const heads = ["pipeline", "bytes a blob", "the line is off by", "bytes a pixel", "the line is off by"];
  return element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element(
      "tbody",
      {},
      ...lines.map(({ pipeline, cells }) =>
        element("tr", {}, element("th", { scope: "row" }, pipeline), ...cells.map((cell) => element("td", {}, cell))),
      ),
    ),
  );
}

function within(off: number): string {
  return `${Math.ceil(100 * off)} % at most`;
}
