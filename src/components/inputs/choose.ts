/** Gives an input a value, as if the reader had chosen it: cells that use it run again. */
export function choose<T>(input: EventTarget & { value: T }, value: T): void {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
