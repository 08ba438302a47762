import { droppedFiles, type GivenFile, pickedFiles } from "../../host/givenFiles.js";
import { element } from "../element.js";
import { counted } from "../format.js";
import { addRecorded } from "./addRecorded.js";
import type { Comparison } from "./comparison.js";
import { runsOfFiles } from "./runsOfFiles.js";

/** Ways to bring runs: dropped anywhere on the page, picked, or recorded with the site; and what was wrong with some. */
export function compareSources(comparison: Comparison): HTMLElement {
  const status = element("p", { class: "source-status", role: "status" });
  const take = async (files: GivenFile[] | Promise<GivenFile[]>) => {
    status.textContent = "Reading …";
    comparison.forgetTroubles();
    try {
      const { runs, troubles } = await runsOfFiles(await files);
      comparison.add(runs, runs.length);
      comparison.complain(...troubles);
      status.textContent = runs.length > 0 ? `${counted(runs.length, "run")} came with that.` : "";
    } catch (error) {
      status.textContent = "";
      comparison.complain(`What was dropped cannot be read: ${(error as Error).message}`);
    }
  };
  const picker = (text: string, attributes: Record<string, unknown>) => {
    const onchange = () => {
      void take(pickedFiles(input));
      // So that the same ones can be picked again.
      input.value = "";
    };
    const input = element("input", { type: "file", multiple: true, class: "visually-hidden", onchange, ...attributes });
    return element("label", { class: "source-picker" }, input, text);
  };
  const bringRecorded = async () => {
    try {
      const before = comparison.runs.length;
      const found = await addRecorded(comparison);
      const added = comparison.runs.length - before;
      if (found === 0) status.textContent = "No run was recorded with this site.";
      else if (added === 0) status.textContent = "The recorded runs are in the table already.";
      else status.textContent = `${counted(added, "recorded run")} came into the table.`;
    } catch {
      comparison.complain("The list of recorded runs cannot be fetched.");
    }
  };
  const troubles = element("ul", { class: "troubles", role: "alert" });
  const forget = element(
    "button",
    { type: "button", class: "quiet", onclick: () => comparison.forgetTroubles() },
    "Understood",
  );
  const troubleBox = element("div", { class: "trouble-box", hidden: true }, troubles, forget);
  comparison.observe("runs", () => {
    troubles.replaceChildren(...comparison.troubles.map((sentence) => element("li", {}, sentence)));
    troubleBox.hidden = comparison.troubles.length === 0;
  });

  const node = element(
    "div",
    { class: "compare-sources" },
    element(
      "div",
      { class: "drop source-drop" },
      element(
        "span",
        {},
        element("strong", {}, "Drop"),
        " run folders, or folders of them, or .arrow files anywhere on this page; or pick ",
        picker("folders", { webkitdirectory: true }),
        " or ",
        picker("files", { accept: ".arrow,.json,.png" }),
      ),
    ),
    element("button", { type: "button", onclick: () => void bringRecorded() }, "Add the recorded runs"),
    status,
    troubleBox,
  );
  let wasConnected = false;
  const listening = new AbortController();
  const isHere = () => {
    wasConnected ||= node.isConnected;
    if (wasConnected && !node.isConnected) listening.abort();
    return node.isConnected;
  };
  const { signal } = listening;
  document.addEventListener("dragover", (event) => isHere() && event.preventDefault(), { signal });
  document.addEventListener(
    "drop",
    (event) => {
      if (!isHere() || !event.dataTransfer) return;
      event.preventDefault();
      void take(droppedFiles(event.dataTransfer));
    },
    { signal },
  );
  return node;
}
