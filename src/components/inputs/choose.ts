/**
 * Gives an input a value: cells that use it run again.
 * @param isAsked whether the reader chose it, which listeners see by `event.bubbles`
 */
export function choose<T>(input: EventTarget & { value: T }, value: T, isAsked = true): void {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: isAsked }));
}
