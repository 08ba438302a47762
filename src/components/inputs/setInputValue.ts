/**
 * Sets the value of an input, and reruns the cells that depend on it.
 * @param isByReader whether the reader chose the value, which becomes `event.bubbles`
 */
export function setInputValue<T>(input: EventTarget & { value: T }, value: T, isByReader = true): void {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: isByReader }));
}
