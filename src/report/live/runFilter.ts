import type { LiveRun } from "../../engine/files/liveRun.js";
import { stateText } from "./progress.js";

type Value = string | number;

/** Returns what a run can be filtered by: its settings, results and notes, by name in lower case without dashes. */
function valuesOf(run: LiveRun): Map<string, Value[]> {
  const { path, notes, description } = run;
  const { config, image, step, timings, result, adapter, host } = description ?? {};
  const fields: Record<string, unknown> = {
    ...config,
    tile: config?.tile.join("x"),
    run: path,
    name: notes.name,
    group: notes.group,
    tag: notes.tags,
    notes: notes.notes,
    state: stateText(run),
    image: image?.name,
    step,
    seconds: timings?.seconds,
    loss: result?.loss,
    psnr: result && (result.psnr ?? Number.POSITIVE_INFINITY),
    adapter,
    host,
  };
  return new Map(Object.entries(fields).map(([name, value]) => [keyOf(name), [value ?? []].flat() as Value[]]));
}

const keyOf = (name: string) => name.replaceAll("-", "").toLowerCase();

const comparisons: Record<string, (a: Value, b: Value) => boolean> = {
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/**
 * Returns whether a run matches a query: words that it contains anywhere, and comparisons such as blobs>1000,
 * learning-rate=0.01 or tag="first try".
 */
export function runFilter(query: string): (run: LiveRun) => boolean {
  const terms = Array.from(query.matchAll(/(?:([\w-]+)(!=|<=|>=|=|<|>))?("[^"]*"|\S+)/g), ([, name, sign, quoted]) => {
    const text = quoted.replace(/^"(.*)"$/, "$1").toLowerCase();
    return { name: name && keyOf(name), sign, text };
  });
  return (run) => {
    const values = valuesOf(run);
    return terms.every(({ name, sign, text }) => {
      if (!name) return [...values.values()].flat().some((value) => String(value).toLowerCase().includes(text));
      const found = (values.get(name) ?? []).map((value) => {
        return typeof value === "number"
          ? comparisons[sign](value, Number(text))
          : comparisons[sign](value.toLowerCase(), text);
      });
      return sign === "!=" ? found.every(Boolean) : found.some(Boolean);
    });
  };
}
