import { droppedFiles, type GivenFile, pickedFiles } from "../../host/browser/givenFiles.js";
import { element } from "../page/element.js";
import { counted } from "../page/format.js";
import { tellTrouble } from "../page/help.js";
import { listRecordedRuns } from "../runs/recordedRuns.js";
import { whileFollowed } from "../training/follow.js";
import { type ComparedRun, recordedRun } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";
import { runsOfFiles } from "./runsOfFiles.js";

/**
 * Ways to bring runs: dropped anywhere on the page, picked, or recorded with the site; and what was wrong with some.
 * @param signal ends the listening for drops
 */
export function compareSources(comparison: Comparison, signal: AbortSignal): HTMLElement {
  const status = element("p", { class: "source-status", role: "status" });
  const take = async (files: GivenFile[] | Promise<GivenFile[]>) => {
    status.textContent = "Reading …";
    comparison.forgetTroubles();
    try {
      const { runs, troubles } = await runsOfFiles(await files);
      comparison.add(runs, runs.length);
      comparison.complain(...troubles);
      status.textContent = runs.length > 0 ? `Added ${counted(runs.length, "run")}.` : "";
    } catch (error) {
      status.textContent = "";
      comparison.complain(`These files cannot be read: ${(error as Error).message}`);
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
      if (found === 0) status.textContent = "This site has no recorded runs.";
      else if (added === 0) status.textContent = "The recorded runs are already in the table.";
      else status.textContent = `Added ${counted(added, "recorded run")}.`;
    } catch {
      comparison.complain("The list of recorded runs cannot be fetched.");
    }
  };
  const button = (text: string, onclick: () => void) => element("button", { type: "button", onclick }, text);
  const troubles = element("ul", { class: "troubles" });
  const understood = button("Dismiss", () => comparison.forgetTroubles());
  const box = element("div", { class: "trouble-box" }, element("div", { role: "alert" }, troubles), understood);
  const pickers = [picker("folders", { webkitdirectory: true }), picker("files", { accept: ".arrow,.json,.png" })];
  const words = " run folders or .arrow files anywhere on this page, or pick ";
  const drop = element("span", {}, element("strong", {}, "Drop"), words, pickers[0], " or ", pickers[1]);
  const recorded = button("Add recorded runs", () => void bringRecorded());
  const field = element("div", { class: "drop source-drop" }, drop);
  const node = element("div", { class: "compare-sources" }, field, recorded, status, box);
  document.addEventListener("dragover", (event) => event.preventDefault(), { signal });
  const drops = (event: DragEvent) => {
    const hasFiles = event.dataTransfer?.types.includes("Files");
    // Fields take dropped text. Anywhere else, a dropped link would leave the page.
    if (!hasFiles && (event.target as Element).closest(":read-write")) return;
    event.preventDefault();
    if (hasFiles) void take(droppedFiles(event.dataTransfer!));
  };
  document.addEventListener("drop", drops, { signal });
  void whileFollowed(comparison, node, () => {
    box.hidden = comparison.troubles.length === 0;
    const shown = comparison.troubles.join("\n");
    if (troubles.dataset.shown === shown) return;
    troubles.dataset.shown = shown;
    troubles.replaceChildren(
      ...comparison.troubles.map((sentence) => {
        const item = element("li");
        tellTrouble(item, sentence, "A file or a run cannot be read");
        return item;
      }),
    );
  });
  return node;
}

/**
 * Adds the runs that the site publishes, and compares two of them: those of one picture, where there are such.
 * @param first the name of one that is compared in any case
 * @returns how many there are
 */
export async function addRecorded(comparison: Comparison, first?: string | null): Promise<number> {
  const runs = (await listRecordedRuns()).map(recordedRun);
  const asked = runs.find(({ name }) => name === first);
  const pictures = runs.map(({ facts }) => facts.picture);
  const shared = asked?.facts.picture ?? pictures.find((picture, i) => pictures.indexOf(picture) !== i);
  const rank = (run: ComparedRun) => (run === asked ? 0 : run.facts.picture === shared ? 1 : 2);
  comparison.add(
    runs.toSorted((a, b) => rank(a) - rank(b)),
    2,
  );
  return runs.length;
}
