const values = new Map<string, unknown>();

/**
 * Returns an input that starts with the value of the previous input of the same name, for cells that run again when the
 * choices change.
 * @param create called with the previous value, or undefined
 */
export function rememberedInput<T, I extends HTMLElement & { value: T }>(
  name: string,
  create: (previous: T | undefined) => I,
): I {
  const input = create(values.get(name) as T | undefined);
  input.addEventListener("input", () => values.set(name, input.value));
  return input;
}
