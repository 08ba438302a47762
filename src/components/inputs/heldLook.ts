import { element, say } from "../page/element.js";
import { count } from "../page/format.js";
import { Change, whileFollowed } from "../training/follow.js";
import type { Look, Run } from "../training/run.js";

/** An input whose value is all of a run at one step; undefined until it has been looked at. */
export type HeldLook = HTMLElement & {
  value: Look | undefined;
  /**
   * Each look that is taken, after one to which the reader has gone back elsewhere, for a cell: `const look = display(heldLook(run)).looks()`. It ends with the run; `view` would
   * wait for ever for a run that ended before it was looked at, and Framework runs no cell anew that still waits.
   */
  looks(look?: Look | null): AsyncGenerator<Look, void, void>;
  /** Returns an input: when its reader uses it, the step that is looked at stays. */
  heldBy<E extends HTMLElement>(input: E): E;
};

/** Steps that a run has done before it shows something of itself. */
const firstStep = 50;

/**
 * Takes a step of a run as soon as it has learned a little, and holds it while the run goes on: another one where the
 * reader asks for it, or each as long as it is to follow.
 * @param follows whether it begins by following
 */
export function heldLook(run: Run, { follows = false } = {}): HeldLook {
  const words = element("span", { class: "figure-note", role: "status" }, "Waiting for the first steps.");
  const newest = element(
    "button",
    { type: "button", disabled: true, onclick: () => take(run.look, true) },
    "Latest step",
  );
  const oninput = (event: Event) => {
    event.stopPropagation();
    if (box.checked) take(run.look);
    tell(!box.checked);
  };
  const box = element("input", { type: "checkbox", checked: follows, oninput });
  const node = element(
    "div",
    { class: "held-look", role: "group", "aria-label": "Displayed step" },
    newest,
    element("label", {}, box, "follow the run"),
    words,
  ) as unknown as HeldLook;
  /** @param isAsked whether it is so since the reader wished it, and is read out */
  const tell = (isAsked: boolean) => {
    if (!node.value) return;
    say(words, `Step ${count(node.value.state.step)} of the run${box.checked ? "" : ", frozen"}.`, isAsked);
  };
  node.heldBy = (input) => {
    // What does not bubble comes from the page itself.
    input.addEventListener("input", ({ bubbles }) => {
      if (!bubbles) return;
      box.checked = false;
      tell(true);
    });
    return input;
  };
  const taken = new Change();
  const take = (look: Look | undefined, isAsked = false) => {
    if (!look || look === node.value) return;
    node.value = look;
    newest.disabled = look === run.look;
    tell(isAsked);
    taken.tell();
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  void whileFollowed(run, node, () => {
    const { look, status } = run;
    if (!look) return;
    newest.disabled = look === node.value;
    if (box.checked || (!node.value && (look.state.step >= firstStep || status !== "running"))) take(look);
  });
  node.looks = async function* (look) {
    let last: Look | undefined;
    if (look) {
      box.checked = false;
      take(look);
    }
    for (;;) {
      const changed = Promise.race([taken.changed, run.changed]);
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
