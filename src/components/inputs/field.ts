import { html } from "htl";
import { announce, uniqueId } from "../page/element.js";
import { type HelpTopic, helpLink } from "../page/help.js";

/** A control with a label and a hint. Errors replace the hint. */
export class Field {
  readonly node: HTMLElement;
  readonly #hint: HTMLElement;
  readonly #control: HTMLElement;
  readonly #hintText: string;

  /**
   * @param control the element that the label is for
   * @param row an element that contains the control, such as a row with further buttons
   */
  constructor(label: string, hint: string, control: HTMLElement, row: HTMLElement = control) {
    const id = uniqueId("field");
    control.id = id;
    this.#control = control;
    this.#hintText = hint;
    this.#hint = html`<div class="quiet" id=${`${id}-hint`} role="status">${hint}</div>`;
    control.setAttribute("aria-describedby", `${id}-hint`);
    this.node = html`<div class="field"><label for=${id}>${breakable(label)}</label>${row}${this.#hint}</div>`;
  }

  /**
   * Replaces the hint by a message, or shows the hint again.
   * @param topic the help topic of an error
   */
  say(text = this.#hintText, isWrong = false, topic?: HelpTopic): void {
    this.node.classList.toggle("wrong", isWrong);
    if (isWrong) this.#control.setAttribute("aria-invalid", "true");
    else this.#control.removeAttribute("aria-invalid");
    announce(this.#hint, text, isWrong);
    if (topic) this.#hint.append(" ", helpLink(topic));
  }
}

/** Returns the nodes of a label that may break after underscores: "GAUSSIANS_PER_BLOCK" is wider than a phone's column. */
export function breakable(label: string): DocumentFragment {
  return html.fragment`${label.split(/(?<=_)/).flatMap((part, i) => (i === 0 ? part : [html`<wbr>`, part]))}`;
}
