/** Gives an input of `view` a value as if the reader had: who observes it hears of it. */
export function setInput<T>(input: HTMLElement & { value: T }, value: T): void {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
