/** Most characters of a value that are shown. */
const maxLength = 80;

/** Returns a value as an error message shows it: JSON on one line, shortened if it is long. */
export function quoted(value: unknown): string {
  if (value === undefined) return "absent";
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
