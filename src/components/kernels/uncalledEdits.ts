import { group } from "d3-array";
import type { PipelineName, TrainConfig } from "../../engine/config.js";
import type { AdapterTraits } from "../../engine/gpu/adapter.js";
import { gpuPipelines } from "../../engine/gpu/checkOnGpu.js";
import { kernelsOf } from "../../engine/gpu/pipelines.js";
import { declarationTexts, reachableTexts } from "../../engine/gpu/reachability.js";
import type { ShaderLibrary } from "../../engine/shaders.js";

const conjunction = new Intl.ListFormat("en");
const disjunction = new Intl.ListFormat("en", { type: "disjunction" });

/** The most names in a sentence. */
const maxNames = 6;

/** Returns a sentence for each group of edits that a configuration does not call, with the pipelines that do. */
export function uncalledEdits(
  shipped: ShaderLibrary,
  edited: ShaderLibrary,
  config: TrainConfig,
  adapter: AdapterTraits,
): string[] {
  const files = [...shipped.keys()].filter((file) => shipped.get(file) !== edited.get(file));
  if (files.length === 0) return [];
  /** Returns the keys of texts that differ between the libraries. */
  const changed = (textsOf: (library: ShaderLibrary) => Map<string, string>) => {
    const [before, after] = [textsOf(shipped), textsOf(edited)];
    return [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
  };
  const calledIn = (pipeline: PipelineName) =>
    changed((library) => reachableTexts(library, Object.values(kernelsOf({ ...config, pipeline }, adapter))));
  const declarations = changed(declarationTexts);
  const sentences = files
    .filter((file) => !declarations.some((key) => key.startsWith(`${file} `)))
    .map((file) => `In ${file}, only comments or whitespace differ.`);
  const called = calledIn(config.pipeline);
  const uncalled = declarations.filter((key) => !called.includes(key));
  if (uncalled.length === 0) return sentences;
  const others = gpuPipelines.map((pipeline) => ({ pipeline, keys: calledIn(pipeline) }));
  const adviceOn = (key: string) => {
    const callers = others.filter(({ keys }) => keys.includes(key)).map(({ pipeline }) => pipeline);
    if (callers.length === 0) return "any pipeline with these settings";
    return `${config.pipeline}: choose ${disjunction.format(callers)} to see it run`;
  };
  for (const [advice, keys] of group(uncalled, adviceOn)) {
    const names = keys.map((key) => key.split(" ")[1]);
    const listed =
      names.length > maxNames ? [...names.slice(0, maxNames - 1), `${names.length - maxNames + 1} others`] : names;
    sentences.push(`${conjunction.format(listed)} ${names.length > 1 ? "are" : "is"} not called by ${advice}.`);
  }
  return sentences;
}
