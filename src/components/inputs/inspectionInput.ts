import { html } from "htl";
import { announce } from "../page/element.js";
import { count } from "../page/format.js";
import { ChangeSignal, updateWhileShown } from "../training/follow.js";
import { storedStep, storeStep } from "../training/frozenStep.js";
import type { Inspection, Run } from "../training/run.js";

/** An input for `view`. Its value is an inspection of a run, or undefined before the first. */
export type InspectionInput = HTMLElement & {
  value: Inspection | undefined;
  /**
   * Yields each value, for a cell: `const inspection = display(inspectionInput(run)).inspections()`. Ends with the run. `view`
   * would wait forever for a run that ends before its first inspection, and Framework does not rerun a waiting cell.
   * @param inspection the initial value
   */
  inspections(inspection?: Inspection | null): AsyncGenerator<Inspection, void, void>;
  /** Returns the input; its use stops this one from following the run. */
  freezeOn<E extends HTMLElement>(input: E): E;
};

/** The step at which the first inspection is taken. */
const firstStep = 50;

/**
 * Returns an input that inspects a run once it has learned a little, and stays at that step. The reader can choose the
 * latest step, or follow the run. A step that the reader froze in another chapter of this tab is frozen here, once the run
 * reaches it.
 * @param follows whether it follows the run at first
 */
export function inspectionInput(run: Run, { follows = false } = {}): InspectionInput {
  const statusText = html`<span class="figure-note" role="status">Waiting for the first steps.</span>`;
  const latestButton = html<HTMLButtonElement>`<button
    type="button" disabled onclick=${() => {
      select(run.inspection, true);
      store();
    }}
  >Latest step</button>`;
  const oninput = (event: Event) => {
    event.stopPropagation();
    if (followBox.checked) select(run.inspection);
    store();
    showStep(!followBox.checked);
  };
  /** The step to freeze once the run reaches it. */
  let awaited = storedStep(run.config, run.target);
  const store = () => {
    awaited = undefined;
    storeStep(run.config, run.target, followBox.checked ? undefined : node.value?.state.step);
  };
  /** Freezes the awaited step, if the run has reached it. */
  const freezeAwaited = () => {
    const taken = [run.inspection, ...run.inspectionHistory.inspections];
    const found = taken.find((inspection) => inspection?.state.step === awaited);
    if (!found) return;
    awaited = undefined;
    followBox.checked = false;
    select(found);
    showStep(false);
  };
  const followBox = html<HTMLInputElement>`<input type="checkbox" checked=${follows} oninput=${oninput}>`;
  const node = html<InspectionInput>`<div class="input-with-note" role="group" aria-label="Displayed step">
    ${latestButton}<label>${followBox}follow the run</label>${statusText}
  </div>`;
  /** @param isByReader whether the reader caused it, which screen readers announce */
  const showStep = (isByReader: boolean) => {
    if (!node.value) return;
    announce(
      statusText,
      `${followBox.checked ? "Step" : "Stopped at step"} ${count(node.value.state.step)} of the run.`,
      isByReader,
    );
  };
  node.freezeOn = (input) => {
    // Events of the page itself do not bubble.
    input.addEventListener("input", ({ bubbles }) => {
      if (!bubbles) return;
      followBox.checked = false;
      store();
      showStep(true);
    });
    return input;
  };
  const takenChange = new ChangeSignal();
  const select = (inspection: Inspection | undefined, isAsked = false) => {
    if (!inspection || inspection === node.value) return;
    node.value = inspection;
    latestButton.disabled = inspection === run.inspection;
    showStep(isAsked);
    takenChange.notify();
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  void updateWhileShown(run, node, () => {
    const { inspection, status } = run;
    if (!inspection) return;
    latestButton.disabled = inspection === node.value;
    if (awaited !== undefined) freezeAwaited();
    const isFirst = !node.value && (inspection.state.step >= firstStep || status !== "running");
    if (followBox.checked || isFirst) select(inspection);
  });
  node.inspections = async function* (initial) {
    let last: Inspection | undefined;
    if (initial) {
      followBox.checked = false;
      select(initial);
    }
    for (;;) {
      const changed = Promise.race([takenChange.changed, run.changed]);
      const { value } = node;
      if (value && value !== last) {
        last = value;
        yield value;
      }
      if (run.isOver) return;
      await changed;
    }
  };
  return node;
}
