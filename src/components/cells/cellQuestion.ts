import { editor } from "../editor/editor.js";
import { hiddenCharacters } from "../editor/hiddenCharacters.js";
import { element } from "../page/element.js";
import { counted } from "../page/format.js";
import { editorLanguages, languageNames, titleOf } from "./liveCell.js";
import type { CellLanguage, PageEdits } from "./pageEdits.js";

interface CellQuestionOptions {
  text: string;
  accept: [label: string, then: () => void];
  refuse: [label: string, then: () => void];
}

/** Cells that have not run, as their differences from the page's own, and what is to become of them. */
export function cellQuestion(
  { edits, added }: PageEdits,
  cells: ReadonlyMap<string, { language: CellLanguage; original: string | undefined }>,
  { text, accept: [acceptLabel, accept], refuse: [refuseLabel, refuse] }: CellQuestionOptions,
): HTMLElement {
  const answered = new AbortController();
  const answer = (then: () => void) => () => {
    answered.abort();
    then();
  };
  const changes = Object.entries(edits).map(([id, source]) => {
    const { original, language = "js" } = cells.get(id) ?? {};
    return original === undefined
      ? listing("For a cell that this page no longer has; skipped", source, "js")
      : listing(`Changed: ${titleOf(original)}`, source, language, original);
  });
  const additions = added.map(({ source, language }) => listing(`New: ${languageNames[language]}`, source, language));
  return element(
    "div",
    { class: "cell-question", role: "region", "aria-label": "Cells that have not run" },
    element("p", {}, text),
    hiddenCharactersNote([...Object.values(edits), ...added.map(({ source }) => source)]),
    ...changes,
    ...additions,
    element(
      "div",
      { class: "cell-question-answer" },
      delayedButton(acceptLabel, answer(accept), answered.signal),
      element("button", { type: "button", onclick: answer(refuse) }, refuseLabel),
    ),
  );
}

/** Says which characters of the cells a reader could not see, or would see in another order; undefined if there are none. */
function hiddenCharactersNote(sources: string[]): HTMLElement | undefined {
  const hidden = sources.flatMap(hiddenCharacters);
  if (hidden.length === 0) return undefined;
  const kinds = [...new Set(hidden)];
  const named = kinds.length > 8 ? `${kinds.slice(0, 8).join(", ")}, …` : kinds.join(", ");
  const text = `These cells contain ${counted(hidden.length, "character")} that would be invisible or change the order of the text. The listings show them as code points: ${named}.`;
  return element("p", { class: "wrong" }, text);
}

/** A cell to be read to the end of its lines, marked where it differs from the page's own. */
function listing(title: string, source: string, language: CellLanguage, original?: string): HTMLElement {
  const view = editor({
    text: source,
    language: editorLanguages[language],
    label: title,
    readOnly: true,
    wrapsLines: true,
    showsHidden: true,
  });
  view.compareWith(original);
  return element("figure", {}, element("figcaption", {}, title), view.node);
}

/** Milliseconds that a button stands still before it can be pressed; browsers give their own questions as many. */
const armingDelay = 1000;

/** What may put a button under a pointer that was on its way to something else. */
const disarmingEvents = ["blur", "focus", "resize", "scroll", "visibilitychange"];

/** A press that begins or ends during the wait was not meant for the button. */
const pressEvents = ["pointerdown", "pointerup", "pointercancel", "keydown", "keyup", "click"];

/**
 * A button that can be pressed once it has stood still for a while without a press, in the window in front, until it is
 * taken away.
 */
function delayedButton(label: string, then: () => void, signal: AbortSignal): HTMLElement {
  let arming: ReturnType<typeof setTimeout> | undefined;
  const isArmed = () => button.getAttribute("aria-disabled") === "false";
  // Unlike `disabled`, this keeps the keyboard where it is.
  const button = element("button", { type: "button", onclick: () => isArmed() && then() }, label);
  const rearm = () => {
    clearTimeout(arming);
    button.setAttribute("aria-disabled", "true");
    if (document.hasFocus()) arming = setTimeout(() => button.setAttribute("aria-disabled", "false"), armingDelay);
  };
  const rearmAfter = ({ type }: Event) => {
    if (isArmed()) return;
    rearm();
    // However long it is held.
    if (type === "pointerdown") clearTimeout(arming);
  };
  for (const eventType of disarmingEvents) addEventListener(eventType, rearm, { signal });
  for (const press of pressEvents) addEventListener(press, rearmAfter, { signal, capture: true });
  rearm();
  return button;
}
