import { withPresentNames } from "../oldNames.js";
import { mustBe } from "../quoted.js";
import { type Sweep, sweepOf } from "../sweep/sweep.js";
import { type Checked, integerFrom, isObject, object, optional, text } from "./fieldChecks.js";

const count = optional(integerFrom(1));

const fields = {
  /** The image's path relative to the file, and its name if another. */
  image: optional(text),
  name: optional(text),
  config: optional(object({})),
  /** Values by field. */
  vary: object({}),
  /** Pixels of the image's longer side, if it is to be reduced. */
  longest: count,
  recordEvery: count,
  recordGradientsEvery: count,
};
const checkFields = object(fields);

/** A sweep in a .json file. */
export type SweepJson = Omit<Checked<typeof checkFields>, "config" | "vary"> & { sweep: Sweep };

/** Returns whether a text is the JSON of a sweep, valid or not. */
export function isSweepJson(json: string): boolean {
  try {
    return isObject(JSON.parse(json)?.vary);
  } catch {
    return false;
  }
}

/**
 * Returns the sweep in the text of a .json file.
 * @throws Error that names what is wrong
 */
export function readSweepJson(json: string): SweepJson {
  let value: Checked<typeof checkFields>;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error("it is not JSON");
  }
  checkFields("", value);
  if ("random" in value) throw new Error("it has random combinations, which were removed; --vary lists values");
  // Earlier versions wrote the field halving, for a search that trained most runs in part.
  const unknownField = Object.keys(value).find((name) => !Object.hasOwn(fields, name) && name !== "halving");
  if (unknownField !== undefined)
    throw new Error(mustBe("each field", `one of ${Object.keys(fields).join(", ")}`, unknownField));
  const { config = {}, vary, ...others } = value;
  return { ...others, sweep: sweepOf(withPresentNames(config), withPresentNames(vary)) };
}
