/** Returns the id that Framework gives a heading. */
export function slugOf(text: string): string {
  return text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/['’](?=s\b)/g, "")
    .replace(/[^\p{L}\d]+/gu, "-")
    .replace(/^-|-$/g, "");
}
