import { quoted, toSingleLine } from "../quoted.js";

/**
 * Checks the value of a field in a JSON file.
 * @param field path in the file, such as image.width
 * @throws Error of one sentence that names the field, its value and what is allowed
 */
type FieldCheck = (field: string, value: unknown) => void;

const rule =
  (allowed: string, isValid: (value: unknown) => boolean): FieldCheck =>
  (field, value) => {
    if (isValid(value)) return;
    throw new Error(`${toSingleLine(field)} is ${quoted(value)}, but must be ${allowed}.`);
  };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

export const text = rule("a text", (value) => typeof value === "string");
export const bool = rule("true or false", (value) => typeof value === "boolean");
export const number = rule("a number", (value) => typeof value === "number");
/** JSON stores infinity as null. */
export const numberOrNull = rule("a number or null", (value) => typeof value === "number" || value === null);
export const nonNegative = rule("a number from 0", (value) => typeof value === "number" && value >= 0);
export const date = rule(
  "a date as ISO 8601",
  (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
);
export const sha256 = rule(
  "64 hexadecimal digits",
  (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value),
);
export const integerFrom = (least: number) =>
  rule(`a whole number from ${least}`, (value) => isInteger(value) && value >= least);
export const oneOf = (...names: string[]) =>
  rule(`one of ${names.join(", ")}`, (value) => names.includes(value as string));
export const ascending = rule(
  "a list of whole numbers from 0, each above the one before",
  (value) =>
    Array.isArray(value) && value.every((n, i) => isInteger(n) && n >= 0 && !(i > 0 && n <= (value[i - 1] as number))),
);

export const optional =
  (check: FieldCheck): FieldCheck =>
  (field, value) => {
    if (value !== undefined) check(field, value);
  };

/** Checks the named fields of an object; the others may hold anything. */
export const object = (fields: Record<string, FieldCheck>): FieldCheck => {
  const checkType = rule("an object", isObject);
  return (field, value) => {
    checkType(field, value);
    for (const [name, check] of Object.entries(fields)) {
      check(field === "" ? name : `${field}.${name}`, (value as Record<string, unknown>)[name]);
    }
  };
};

/** Checks an object with any field names. */
export const recordOf = (check: FieldCheck): FieldCheck => {
  const checkType = rule("an object", isObject);
  return (field, value) => {
    checkType(field, value);
    for (const [name, entry] of Object.entries(value as object)) check(`${field}.${name}`, entry);
  };
};

export const listOf = (check: FieldCheck): FieldCheck => {
  const checkType = rule("a list", Array.isArray);
  return (field, value) => {
    checkType(field, value);
    for (const [i, entry] of (value as unknown[]).entries()) check(`${field}[${i}]`, entry);
  };
};
