import { sweepFile } from "../../engine/sweepFile.js";
import { saveFile } from "../../host/saveFile.js";
import { element } from "../element.js";
import { counted } from "../format.js";
import type { Sweeper } from "./sweeper.js";

/** A button that saves the table of the runs, as `splatbook sweep` writes it. */
export function sweepDownload(sweeper: Sweeper): HTMLElement {
  const note = element("small", {}, "–");
  const save = () => {
    const { name, image } = sweeper.target!;
    const { width, height } = image;
    const bytes = sweepFile({ sweep: sweeper.sweep!, image: { name, width, height }, rows: sweeper.rows });
    saveFile(
      "sweep.arrow",
      new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/vnd.apache.arrow.file" }),
    );
  };
  const attributes = { type: "button", class: "download", disabled: true, onclick: save };
  const button = element("button", attributes, element("span", {}, "sweep.arrow"), note);
  sweeper.observe(() => {
    const { rows } = sweeper;
    button.disabled = rows.length === 0;
    const text = rows.length > 0 ? counted(rows.length, "row") : "–";
    if (note.textContent !== text) note.textContent = text;
  });
  return element("div", { class: "downloads" }, button);
}
