import { html } from "htl";
import { uniqueId } from "../page/element.js";

/** The parts that readers chose, by the name of the figure: a figure that is made again shows the same part. */
const chosenParts = new Map<string, string>();

/** Parts of a figure. */
export type PhoneViews = HTMLElement & {
  /** Shows a part on phones. */
  choose(part: string): void;
};

/**
 * Returns the parts of a figure, one below the other. Phones show one of them, which the reader chooses.
 * @param name identifies the figure on its page
 * @param onchoose called with the part that the reader has chosen
 */
export function phoneViews(
  name: string,
  parts: Record<string, Node | null>,
  onchoose: (part: string) => void = () => {},
): PhoneViews {
  const group = uniqueId("views");
  const names = Object.keys(parts).filter((part) => parts[part]);
  const radios = names.map((part) => {
    const onchange = () => {
      choose(part);
      onchoose(part);
    };
    return html<HTMLInputElement>`<input type="radio" name=${group} ${{ onchange }}>`;
  });
  const labels = names.map((part, k) => html`<label>${radios[k]}${part}</label>`);
  const panels = names.map((part) => html<HTMLElement>`<div class="phone-view">${parts[part]}</div>`);
  const choose = (part: string) => {
    chosenParts.set(name, part);
    for (const [k, each] of names.entries()) {
      radios[k].checked = each === part;
      panels[k].classList.toggle("is-shown", each === part);
    }
  };
  const stored = chosenParts.get(name);
  choose(stored !== undefined && names.includes(stored) ? stored : names[0]);
  const node = html`<div class="phone-views">
    <div class="phone-choice" role="group" aria-label="Part of the figure">${labels}</div>${panels}
  </div>`;
  // The radio buttons have no value for the page.
  node.querySelector(".phone-choice")!.addEventListener("input", (event: Event) => event.stopPropagation());
  return Object.assign(node, { choose }) as PhoneViews;
}
