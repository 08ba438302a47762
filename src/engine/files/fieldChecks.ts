import { inRange, mustBe, toSingleLine } from "../quoted.js";

/**
 * Checks that the value of a field in a JSON file is a T.
 * @param field path in the file, such as image.width
 * @throws Error of one sentence that names the field, its value and what is allowed
 */
type FieldCheck<T> = ((field: string, value: unknown) => void) & { type?: T };

type Fields = Record<string, FieldCheck<unknown>>;
type OptionalNames<F extends Fields> = { [N in keyof F]: undefined extends Checked<F[N]> ? N : never }[keyof F];
type Exact<T> = { [N in keyof T]: T[N] };
type ObjectOf<F extends Fields> = Exact<
  { [N in keyof F as Exclude<N, OptionalNames<F>>]: Checked<F[N]> } & {
    [N in keyof F as Extract<N, OptionalNames<F>>]?: Exclude<Checked<F[N]>, undefined>;
  }
>;

/** The type of the values that a check accepts. */
export type Checked<C> = C extends FieldCheck<infer T> ? T : never;

const rule =
  <T>(allowed: string, isValid: (value: unknown) => boolean): FieldCheck<T> =>
  (field, value) => {
    if (!isValid(value)) throw new Error(mustBe(toSingleLine(field) || "it", allowed, value));
  };

/** Returns whether a value is an object with fields, such as JSON's. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

export const text = rule<string>("a text", (value) => typeof value === "string");
export const bool = rule<boolean>("true or false", (value) => typeof value === "boolean");
export const number = rule<number>("a number", (value) => typeof value === "number");
/** A number that may be infinite, which JSON stores as null. */
export const numberOrNull = rule<number>("a number or null", (value) => typeof value === "number" || value === null);
export const nonNegative = rule<number>(`a number ${inRange(0)}`, (value) => typeof value === "number" && value >= 0);
export const date = rule<string>(
  "a date as ISO 8601",
  (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
);
export const sha256 = rule<string>(
  "64 hexadecimal digits",
  (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value),
);
export const integerFrom = (least: number) =>
  rule<number>(`a whole number ${inRange(least)}`, (value) => isInteger(value) && value >= least);
export const oneOf = <Name extends string>(...names: Name[]) =>
  rule<Name>(`one of ${names.join(", ")}`, (value) => names.includes(value as Name));
export const ascending = rule<number[]>(
  "a list of whole numbers of at least 0, each above the previous one",
  (value) =>
    Array.isArray(value) && value.every((n, i) => isInteger(n) && n >= 0 && !(i > 0 && n <= (value[i - 1] as number))),
);

export const optional =
  <T>(check: FieldCheck<T>): FieldCheck<T | undefined> =>
  (field, value) => {
    if (value !== undefined) check(field, value);
  };

/** Checks the named fields of an object; the others may hold anything. */
export const object = <F extends Fields>(fields: F): FieldCheck<ObjectOf<F>> => {
  const checkType = rule("an object", isObject);
  return (field, value) => {
    checkType(field, value);
    for (const [name, check] of Object.entries(fields)) {
      check(field === "" ? name : `${field}.${name}`, (value as Record<string, unknown>)[name]);
    }
  };
};

/** Checks an object with any field names. */
export const recordOf = <T>(check: FieldCheck<T>): FieldCheck<Record<string, T>> => {
  const checkType = rule("an object", isObject);
  return (field, value) => {
    checkType(field, value);
    for (const [name, entry] of Object.entries(value as object)) check(`${field}.${name}`, entry);
  };
};

export const listOf = <T>(check: FieldCheck<T>): FieldCheck<T[]> => {
  const checkType = rule("a list", Array.isArray);
  return (field, value) => {
    checkType(field, value);
    for (const [i, entry] of (value as unknown[]).entries()) check(`${field}[${i}]`, entry);
  };
};
