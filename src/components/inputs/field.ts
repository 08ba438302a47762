import { announce, element, uniqueId } from "../page/element.js";
import { type HelpTopic, helpLink } from "../page/help.js";

/** A control with its label, a hint, and the place for what is wrong with its value. */
export class Field {
  readonly node: HTMLElement;
  readonly #hint: HTMLElement;
  readonly #control: HTMLElement;
  readonly #hintText: string;

  /**
   * @param control the element that the label is for
   * @param row what stands in the control's place, if that is more than the control
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
   * Says something in the hint's place, such as what is wrong; the hint again if nothing is given.
   * @param topic where what helps is told
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
