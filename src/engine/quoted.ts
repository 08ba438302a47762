/** Characters of a value that are shown at most. */
const maxLength = 80;

/** A value that somebody gave, as the sentence of an error shows it: as JSON, in one line, not all of it where it is long. */
export function quoted(value: unknown): string {
  if (value === undefined) return "absent";
  return toSingleLine(typeof value === "number" ? String(value) : jsonOf(value));
}

/** A name that somebody gave: printable, and not all of it where it is long. */
export function toSingleLine(text: string): string {
  return text.length > maxLength ? `${printable(text.slice(0, maxLength))}…` : printable(text);
}

/** A text without what breaks lines or moves a terminal's cursor. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, "\ufffd");
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "nested too deep to be shown";
  }
}
