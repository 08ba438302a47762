import { group } from "d3-array";
import type { TrainConfig } from "../../engine/config.js";
import type { AdapterTraits } from "../../engine/gpu/adapter.js";
import { gpuPipelines, kernelsOf } from "../../engine/gpu/pipelines.js";
import { declarationTexts, reachableTexts } from "../../engine/gpu/reachability.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import { isModelOf, models, modelText } from "./models.js";

const conjunction = new Intl.ListFormat("en");
const disjunction = new Intl.ListFormat("en", { type: "disjunction" });

/** The most names in a sentence. */
const maxNames = 6;

/** The edits that a pipeline calls, and those that it does not. */
interface CalledEdits {
  /** Whether the pipeline runs anything that differs from the shipped kernels. */
  areCalled: boolean;
  /** One sentence per group of edits that it does not call, with the pipelines and models that do. */
  sentences: string[];
}

/** Returns which edits a configuration calls, and which pipelines and models call the others. */
export function calledEdits(
  shipped: ShaderLibrary,
  edited: ShaderLibrary,
  config: TrainConfig,
  adapter: AdapterTraits,
): CalledEdits {
  const files = [...shipped.keys()].filter((file) => shipped.get(file) !== edited.get(file));
  if (files.length === 0) return { areCalled: false, sentences: [] };
  /** Returns the keys of texts that differ between the libraries. */
  const changed = (textsOf: (library: ShaderLibrary) => Map<string, string>) => {
    const [before, after] = [textsOf(shipped), textsOf(edited)];
    return [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
  };
  const calledBy = (one: TrainConfig) =>
    changed((library) => reachableTexts(library, Object.values(kernelsOf(one, adapter))));
  const declarations = changed(declarationTexts);
  const called = calledBy(config);
  const sentences = files
    .filter((file) => !declarations.some((key) => key.startsWith(`${file} `)))
    .map((file) => `In ${file}, only comments or whitespace differ.`);
  const uncalled = declarations.filter((key) => !called.includes(key));
  if (uncalled.length > 0) {
    const others = otherConfigs(config).map((one) => ({ one, keys: calledBy(one) }));
    const callers = (key: string) => others.filter(({ keys }) => keys.includes(key)).map(({ one }) => one);
    for (const [advice, keys] of group(uncalled, (key) => adviceOf(callers(key), config))) {
      const names = keys.map((key) => key.split(" ")[1]);
      const listed =
        names.length > maxNames ? [...names.slice(0, maxNames - 1), `${names.length - maxNames + 1} others`] : names;
      sentences.push(`${conjunction.format(listed)} ${names.length > 1 ? "are" : "is"} not called by ${advice}.`);
    }
  }
  return { areCalled: called.length > 0, sentences };
}

/** Returns the other combinations of pipeline and model that the page offers. */
function otherConfigs(config: TrainConfig): TrainConfig[] {
  return gpuPipelines
    .flatMap((pipeline) => models.map((model) => ({ ...config, ...model, pipeline })))
    .filter((one) => one.pipeline !== config.pipeline || !isModelOf(config, one));
}

/** Returns which of the calling configurations to choose: preferably another pipeline with the same model. */
function adviceOf(callers: TrainConfig[], config: TrainConfig): string {
  const { pipeline } = config;
  const sameModel = callers.filter((one) => isModelOf(config, one)).map((one) => one.pipeline);
  if (sameModel.length > 0) return `${pipeline}: choose ${disjunction.format(sameModel)} to see it run`;
  const otherModels = callers.filter((one) => one.pipeline === pipeline).map((one) => `“${modelText(one)}”`);
  const model = `${pipeline} with the model “${modelText(config)}”`;
  if (otherModels.length > 0) return `${model}: choose the model ${disjunction.format(otherModels)} to see it run`;
  const [other] = callers;
  return other
    ? `${model}: choose ${other.pipeline} and the model “${modelText(other)}” to see it run`
    : "any pipeline";
}
