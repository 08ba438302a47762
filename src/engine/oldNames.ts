/** Fields of the configuration that had another name up to version 0.1.0: present names by old ones. */
export const oldFields: Record<string, string> = { composite: "background" };

/** Values that had another name up to version 0.1.0, by field. */
const oldValues: Record<string, Record<string, string>> = {
  preset: { seed: "baseline" },
  background: { seed: "original" },
};

/**
 * Returns the fields of a config, or the values of a sweep by field, under their present names. Everything that reads
 * data of earlier versions calls this, so no other code knows the old names.
 * @param given unchecked; values are single, in a list, or in a text with commas between them
 */
export function withPresentNames<T>(given: T): T {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const fields = Object.entries(given).map(([name, value]) => {
    const present = own(oldFields, name);
    // A field under both names is ambiguous; the old one is left to be refused.
    const field = present === undefined || Object.hasOwn(given, present) ? name : present;
    const rename = renaming(own(oldValues, field) ?? {});
    return [field, Array.isArray(value) ? value.map(rename) : rename(value)];
  });
  return Object.fromEntries(fields);
}

/** Lists in lists are no values of a field, and may be nested too deep for a recursive function. */
const renaming = (names: Record<string, string>) => (value: unknown) =>
  typeof value === "string" ? value.replace(/[^,\s]+/g, (word) => own(names, word) ?? word) : value;

function own<V>(table: Record<string, V>, name: string): V | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
