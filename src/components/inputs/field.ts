import { announce, element, uniqueId } from "../page/element.js";
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
    this.#hint = element("div", { class: "field-hint", id: `${id}-hint`, role: "status" }, hint);
    control.setAttribute("aria-describedby", `${id}-hint`);
    this.node = element("div", { class: "field" }, element("label", { for: id }, ...breakable(label)), row, this.#hint);
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

/** Lets a long name in capitals break at its underscores. */
function breakable(label: string): Node[] {
  return label.split(/(?<=_)/).flatMap((part, index) => [...(index > 0 ? [element("wbr")] : []), new Text(part)]);
}
