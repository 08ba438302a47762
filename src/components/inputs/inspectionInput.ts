import { announce, element } from "../page/element.js";
import { count } from "../page/format.js";
import { ChangeSignal, updateWhileShown } from "../training/follow.js";
import type { Inspection, Run } from "../training/run.js";

/** An input whose value is all of a run at one step; undefined until it has been looked at. */
export type InspectionInput = HTMLElement & {
  value: Inspection | undefined;
  /**
   * Each look that is taken, after one to which the reader has gone back elsewhere, for a cell: `const look = display(heldLook(run)).looks()`. It ends with the run; `view` would
   * wait for ever for a run that ended before it was looked at, and Framework runs no cell anew that still waits.
   */
  inspections(inspection?: Inspection | null): AsyncGenerator<Inspection, void, void>;
  /** Returns an input: when its reader uses it, the step that is looked at stays. */
  freezeOn<E extends HTMLElement>(input: E): E;
};

/** Steps that a run has done before it shows something of itself. */
const firstStep = 50;

/**
 * Takes a step of a run as soon as it has learned a little, and holds it while the run goes on: another one where the
 * reader asks for it, or each as long as it is to follow.
 * @param follows whether it begins by following
 */
export function inspectionInput(run: Run, { follows = false } = {}): InspectionInput {
  const statusText = element("span", { class: "figure-note", role: "status" }, "Waiting for the first steps.");
  const latestButton = element(
    "button",
    { type: "button", disabled: true, onclick: () => select(run.inspection, true) },
    "Latest step",
  );
  const oninput = (event: Event) => {
    event.stopPropagation();
    if (followBox.checked) select(run.inspection);
    showStep(!followBox.checked);
  };
  const followBox = element("input", { type: "checkbox", checked: follows, oninput });
  const node = element(
    "div",
    { class: "held-look", role: "group", "aria-label": "Displayed step" },
    latestButton,
    element("label", {}, followBox, "follow the run"),
    statusText,
  ) as unknown as InspectionInput;
  /** @param isByReader whether it is so since the reader wished it, and is read out */
  const showStep = (isByReader: boolean) => {
    if (!node.value) return;
    announce(
      statusText,
      `Step ${count(node.value.state.step)} of the run${followBox.checked ? "" : ", frozen"}.`,
      isByReader,
    );
  };
  node.freezeOn = (input) => {
    // What does not bubble comes from the page itself.
    input.addEventListener("input", ({ bubbles }) => {
      if (!bubbles) return;
      followBox.checked = false;
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
    const { inspection: look, status } = run;
    if (!look) return;
    latestButton.disabled = look === node.value;
    if (followBox.checked || (!node.value && (look.state.step >= firstStep || status !== "running"))) select(look);
  });
  node.inspections = async function* (look) {
    let last: Inspection | undefined;
    if (look) {
      followBox.checked = false;
      select(look);
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
