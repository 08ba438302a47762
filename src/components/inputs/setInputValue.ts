/**
 * Gives an input a value: cells that use it run again.
 * @param isByReader whether the reader chose it, which listeners see by `event.bubbles`
 */
export function setInputValue<T>(input: EventTarget & { value: T }, value: T, isByReader = true): void {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: isByReader }));
}
