/** A number in at most seven characters. */
export function shortNumber(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 0.01 && size < 1000) return withMinus(String(Number(value.toPrecision(3))));
  return withMinus(value.toExponential(1)).replace("+", "");
}

/** A float32 in the fewest digits that tell it from its neighbours. */
export function floatText(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === Math.fround(value)) return withMinus(String(text));
  }
  return withMinus(String(Number(value.toPrecision(9))));
}

/** The sign of a negative number as it is printed. */
export function withMinus(text: string): string {
  return text.replaceAll("-", "−");
}

/**
 * The numbers in a text, set apart by commas or spaces.
 * @throws Error that says in a sentence what is wrong
 */
export function numberList(text: string, fewest: number, most: number): number[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "");
  const numbers = words.map((word) => Number(word.replaceAll("−", "-")));
  const wrong = numbers.findIndex((number) => !Number.isFinite(Math.fround(number)));
  if (wrong >= 0) throw new Error(`“${words[wrong]}” is no number that a float32 can hold.`);
  if (numbers.length < fewest || numbers.length > most) {
    const wanted = fewest === most ? String(most) : `${fewest} to ${most}`;
    throw new Error(`There must be ${wanted} numbers, one a thread; here are ${numbers.length}.`);
  }
  return numbers;
}
