/**
 * Returns the numbers in a text, separated by commas or spaces.
 * @throws RangeError if one is not a float32 number, or if there are too few or too many
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

/** Formats numbers for a text field, with four digits each. */
export function formatNumbers(values: Iterable<number>): string {
  return Array.from(values, (value) => String(Number(value.toPrecision(4)))).join(", ");
}
