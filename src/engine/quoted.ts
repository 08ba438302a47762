/** Most characters of a value that are shown. */
const maxLength = 80;

/**
 * Returns the sentence of an error about a value: `blend must be one of over, sum (got "ovr"; did you mean over?).`
 * @param name of the setting or field
 */
export function mustBe(name: string, allowed: string, value: unknown, suggestion?: string): string {
  return `${name} must be ${allowed} (got ${quoted(value)}${suggestion ? `; did you mean ${suggestion}?` : ""}).`;
}

/** Returns the range of a number in words: "between 1 and 4,000,000" or "of at least 1". */
export function inRange(least: number, most?: number): string {
  return most === undefined ? `of at least ${limitText(least)}` : `between ${limitText(least)} and ${limitText(most)}`;
}

/** Returns a limit with separators: "4,000,000", "0.015625". */
export function limitText(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 20 });
}

/** Returns a value as an error message shows it: JSON on one line, shortened if it is long. */
export function quoted(value: unknown): string {
  if (value === undefined) return "nothing";
  return toSingleLine(typeof value === "number" ? String(value) : jsonOf(value));
}

/** Returns a text on one line, printable and shortened if it is long. */
export function toSingleLine(text: string): string {
  return text.length > maxLength ? `${printable(text.slice(0, maxLength))}…` : printable(text);
}

/** Returns a text in which control characters are replaced. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, "\ufffd");
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "nested too deep to be shown";
  }
}
