import { element } from "../element.js";
import type { ComparedRun, RunParts } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";

/**
 * A part of the page that is drawn again whenever other runs are chosen.
 * @param least pixels that it is high at least, so that little moves while runs are read
 * @param draw undefined where the chosen runs have nothing to show
 */
export function forChosen(
  comparison: Comparison,
  least: number,
  draw: (chosen: readonly ComparedRun[]) => Promise<Node | undefined>,
): HTMLElement {
  const node = element("div", { class: "for-chosen", style: `min-height: ${least}px` });
  let shown: string | undefined;
  const show = async () => {
    const chosen = comparison.chosen.slice();
    const key = JSON.stringify(chosen.map(({ id, name }) => [id, name]));
    if (key === shown) return;
    shown = key;
    const note = (text: string) => element("p", { class: "chart-waiting" }, text);
    // The page hides its parts while no run is chosen.
    const drawn = chosen.length === 0 ? "" : ((await draw(chosen)) ?? note("None of these runs holds that."));
    // Others may have been chosen meanwhile.
    if (shown === key) node.replaceChildren(drawn);
  };
  comparison.observe("runs", () => void show());
  void show();
  return node;
}

/** A part of each run; undefined where a run has none, or where it cannot be read, which is told. */
export function partsOf<P extends keyof RunParts>(
  comparison: Comparison,
  chosen: readonly ComparedRun[],
  part: P,
): Promise<(RunParts[P] | undefined)[]> {
  const read = (run: ComparedRun) =>
    run.part(part).catch((error: Error) => {
      comparison.complain(error.message);
      return undefined;
    });
  return Promise.all(chosen.map(read));
}
