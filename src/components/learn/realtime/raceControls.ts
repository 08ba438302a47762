import { element, uniqueId } from "../../element.js";
import { count } from "../../format.js";
import { gallery } from "../../pictures.js";
import type { Race } from "./race.js";
import { offerOf, type RaceJob } from "./raceJob.js";

/** What the programs race at, to be chosen; a choice sends them back to the start. */
export function raceControls(race: Race): HTMLElement {
  const { choices } = offerOf(race.engine.kind);
  const choose = (change: Partial<RaceJob>) => void race.choose({ ...race.job, ...change });
  const control = <T>(label: string, options: readonly T[], text: (option: T) => string, field: keyof RaceJob) => {
    const present = text(race.job[field] as T);
    const texts = options.map(text);
    const id = uniqueId("race");
    const select = element(
      "select",
      { id, onchange: () => choose({ [field]: options[select.selectedIndex] }) },
      ...texts.map((words) => element("option", { selected: words === present }, words)),
    );
    return element("div", { class: "race-field" }, element("label", { for: id }, label), select);
  };
  return element(
    "div",
    { class: "learn-controls" },
    control("Blobs", choices.blobs, count, "blobs"),
    control(
      "Picture",
      gallery.map(({ name }) => name),
      (name) => name,
      "picture",
    ),
    control("Longer side", choices.longest, (pixels) => `${pixels} pixels`, "longest"),
    control("Tile", choices.tile, ([width, height]) => `${width} × ${height}`, "tile"),
    control("GAUSSIANS_PER_BLOCK", choices.gaussiansPerBlock, count, "gaussiansPerBlock"),
  );
}
