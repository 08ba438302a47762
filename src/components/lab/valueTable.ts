import type { Table } from "apache-arrow";
import { html } from "htl";
import type { ChosenImage } from "../../host/browser/images.js";
import { count, psnrText } from "../page/format.js";
import type { Inspection } from "../training/readbacks.js";
import type { Render } from "../training/run.js";

/** The values of the lab that other cells use. */
interface LabValues {
  image: ChosenImage;
  metrics: Table;
  render: Render;
  inspection: Inspection;
  parameters: Table;
  gradients: Table;
}

/** Returns a table of the live values, each with what it holds now. */
export function valueTable(values: LabValues): HTMLElement {
  const { image, render, inspection } = values;
  const tableText = ({ numRows, numCols }: Table) => `Arrow table, ${count(numRows)} × ${numCols}`;
  const rows: [keyof LabValues, string, string][] = [
    ["image", `${image.image.width} × ${image.image.height} pixels`, "the target"],
    ["metrics", tableText(values.metrics), "a row per recorded step"],
    ["render", `step ${count(render.step)}, ${psnrText(render.psnr)}`, "the shown image"],
    ["inspection", `${count(inspection.tiles.lengths.length)} tile lists`, "of the shown step"],
    ["parameters", tableText(values.parameters), "a row per active blob"],
    ["gradients", tableText(values.gradients), "a row per active blob"],
  ];
  return html`<table class="values" aria-label="Values to use in a cell"><tbody>${rows.map(
    ([name, text, about]) => html`<tr><th scope="row"><code>${name}</code></th><td>${text}</td><td>${about}</td></tr>`,
  )}</tbody></table>`;
}
