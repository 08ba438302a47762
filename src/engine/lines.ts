/**
 * The number of the one line, counted from 1, that holds a text.
 * @throws Error if no line does, or several do
 */
export function findLine(source: string, text: string): number {
  const found = source.split("\n").flatMap((line, index) => (line.includes(text) ? [index + 1] : []));
  if (found.length === 1) return found[0];
  throw new Error(`${found.length === 0 ? "No line holds" : `Lines ${found.join(", ")} hold`} “${text}”.`);
}
