const values = new Map<string, unknown>();

/**
 * Returns an input that is made again when what it offers changes, such as with other places: it begins with the value
 * that the one of the same name had.
 * @param create takes that value; undefined for the first
 */
export function rememberedInput<T, I extends HTMLElement & { value: T }>(
  name: string,
  create: (previous: T | undefined) => I,
): I {
  const input = create(values.get(name) as T | undefined);
  input.addEventListener("input", () => values.set(name, input.value));
  return input;
}
