import { html } from "htl";
import { editor } from "../editor/editor.js";
import { hiddenCharacters } from "../editor/hiddenCharacters.js";
import { counted } from "../page/format.js";
import { editorLanguages, languageNames, titleOf } from "./liveCell.js";
import type { CellLanguage, PageEdits } from "./pageEdits.js";

/**
 * Returns a region that lists cells that have not run, as differences from the page's own, and asks whether to run them.
 * @param cells those of the page, by id
 * @param refuseLabel says what refusing does
 */
export function cellQuestion(
  { edits, added }: PageEdits,
  cells: ReadonlyMap<string, { language: CellLanguage; original: string | undefined }>,
  text: string,
  accept: () => void,
  refuseLabel: string,
  refuse: () => void,
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
  return html`<div class="cell-question" role="region" aria-label="Cells that have not run">
    <p>${text}</p>
    ${hiddenCharactersNote([...Object.values(edits), ...added.map(({ source }) => source)])}
    ${[...changes, ...additions]}
    <div class="cell-question-answer">
      ${delayedButton("Run cells", answer(accept), answered.signal)}
      <button type="button" onclick=${answer(refuse)}>${refuseLabel}</button>
    </div>
  </div>`;
}

/** Returns a warning that names the characters of cells that are invisible or reorder text; undefined if there are none. */
function hiddenCharactersNote(sources: string[]): HTMLElement | undefined {
  const hidden = sources.flatMap(hiddenCharacters);
  if (hidden.length === 0) return undefined;
  const kinds = [...new Set(hidden)];
  const named = kinds.length > 8 ? `${kinds.slice(0, 8).join(", ")}, …` : kinds.join(", ");
  const text = `These cells contain ${counted(hidden.length, "character")} that would be invisible or change the order of the text. The listings show them as code points: ${named}.`;
  return html`<p class="wrong">${text}</p>`;
}

/** Returns a cell's source in full, marked where it differs from the page's own. */
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
  return html`<figure><figcaption>${title}</figcaption>${view.node}</figure>`;
}

/** Milliseconds without an event before a button can be pressed; browsers delay their own questions as long. */
const armingDelay = 1000;

/** Events that may put a button under a pointer that was aimed at something else. */
const disarmingEvents = ["blur", "focus", "resize", "scroll", "visibilitychange"];

/** A press that begins or ends during the delay was not meant for the button. */
const pressEvents = ["pointerdown", "pointerup", "pointercancel", "keydown", "keyup", "click"];

/**
 * Returns a button that can be pressed after the window was in front, without a press or a movement of the page, for
 * `armingDelay`.
 * @param signal ends its listeners
 */
function delayedButton(label: string, then: () => void, signal: AbortSignal): HTMLElement {
  let arming: ReturnType<typeof setTimeout> | undefined;
  const isArmed = () => button.ariaDisabled === "false";
  // Unlike `disabled`, aria-disabled keeps the focus.
  const button = html`<button type="button" onclick=${() => isArmed() && then()}>${label}</button>`;
  const rearm = () => {
    clearTimeout(arming);
    button.ariaDisabled = "true";
    if (!document.hasFocus()) return;
    arming = setTimeout(() => {
      button.ariaDisabled = "false";
    }, armingDelay);
  };
  const rearmAfter = ({ type }: Event) => {
    if (isArmed()) return;
    rearm();
    // A press counts for as long as it is held.
    if (type === "pointerdown") clearTimeout(arming);
  };
  for (const eventType of disarmingEvents) addEventListener(eventType, rearm, { signal });
  for (const press of pressEvents) addEventListener(press, rearmAfter, { signal, capture: true });
  rearm();
  return button;
}
