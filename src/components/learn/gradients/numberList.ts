/**
 * The numbers in a text, set apart by commas or spaces.
 * @throws RangeError that says in a sentence what is wrong
 */
export function parseNumbers(text: string, minCount: number, maxCount: number): number[] {
  const entries = text.split(/[\s,;]+/).filter((entry) => entry !== "");
  const numbers = entries.map((word) => Number(word.replaceAll("−", "-")));
  const invalidIndex = numbers.findIndex((number) => !Number.isFinite(Math.fround(number)));
  if (invalidIndex >= 0) throw new RangeError(`“${entries[invalidIndex]}” is not a float32 number.`);
  if (numbers.length < minCount || numbers.length > maxCount) {
    const allowed = minCount === maxCount ? String(maxCount) : `${minCount} to ${maxCount}`;
    throw new RangeError(`Give ${allowed} numbers, one per thread (got ${numbers.length}).`);
  }
  return numbers;
}

/** Numbers as they are typed, with the digits that a reader follows. */
export function formatNumbers(values: Iterable<number>): string {
  return Array.from(values, (value) => String(Number(value.toPrecision(4)))).join(", ");
}
