/**
 * Returns the number of the only line that contains a text, counted from 1.
 * @throws Error if no line does, or several do
 */
export function findLine(source: string, text: string): number {
  const found = source.split("\n").flatMap((line, index) => (line.includes(text) ? [index + 1] : []));
  if (found.length === 1) return found[0];
  throw new Error(`${found.length === 0 ? "No line holds" : `Lines ${found.join(", ")} hold`} “${text}”.`);
}
