/**
 * The numbers in a text, set apart by commas or spaces.
 * @throws Error that says in a sentence what is wrong
 */
export function numberList(text: string, fewest: number, most: number): number[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "");
  const numbers = words.map((word) => Number(word.replace("−", "-")));
  const wrong = numbers.findIndex((number) => !Number.isFinite(Math.fround(number)));
  if (wrong >= 0) throw new Error(`“${words[wrong]}” is no number of float32.`);
  if (numbers.length < fewest || numbers.length > most) {
    const wanted = fewest === most ? String(most) : `${fewest} to ${most}`;
    throw new Error(`There must be ${wanted} numbers; here are ${numbers.length}.`);
  }
  return numbers;
}
