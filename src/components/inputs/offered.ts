import { element } from "../page/element.js";
import { choose } from "./choose.js";

/** An input for `view`, whose value is what was offered when the reader last took it; the first offer is taken by itself. */
export type Offered<T> = HTMLElement & { value: T | undefined; offer(value: T): void };

/** A button for what takes long: it can be pressed where what is offered is not what was taken. */
export function offered<T>(text: string): Offered<T> {
  const button = element("button", { type: "button", disabled: true, onclick: () => take() }, text);
  const node = element("div", {}, button) as unknown as Offered<T>;
  let latest: T;
  const take = () => {
    button.disabled = true;
    choose(node as Offered<T> & { value: T }, latest);
  };
  node.offer = (value) => {
    latest = value;
    if (node.value === undefined) take();
    else button.disabled = JSON.stringify(value) === JSON.stringify(node.value);
  };
  return node;
}
