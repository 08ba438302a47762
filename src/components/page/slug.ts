/** A heading's words as the id that Framework gives it. */
export function slugOf(words: string): string {
  return words
    .toLowerCase()
    .replace(/['’](?=s\b)/g, "")
    .replace(/[^\p{L}\d]+/gu, "-")
    .replace(/^-|-$/g, "");
}
