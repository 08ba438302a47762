/**
 * The numbers in a text, set apart by commas or spaces.
 * @throws RangeError that says in a sentence what is wrong
 */
export function numberList(text: string, fewest: number, most: number): number[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "");
  const numbers = words.map((word) => Number(word.replaceAll("−", "-")));
  const wrong = numbers.findIndex((number) => !Number.isFinite(Math.fround(number)));
  if (wrong >= 0) throw new RangeError(`“${words[wrong]}” is not a float32 number.`);
  if (numbers.length < fewest || numbers.length > most) {
    const wanted = fewest === most ? String(most) : `${fewest} to ${most}`;
    throw new RangeError(`Give ${wanted} numbers, one per thread (got ${numbers.length}).`);
  }
  return numbers;
}

/** Numbers as they are typed, with the digits that a reader follows. */
export function listText(values: Iterable<number>): string {
  return Array.from(values, (value) => String(Number(value.toPrecision(4)))).join(", ");
}
