import type { TrainConfig } from "../../engine/config.js";
import type { AdapterTraits } from "../../engine/gpu/adapter.js";
import { gpuPipelines, kernelsOf } from "../../engine/gpu/pipelines.js";
import { declared, reached } from "../../engine/gpu/reach.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import { isModelOf, models, modelText } from "./models.js";

const all = new Intl.ListFormat("en");
const either = new Intl.ListFormat("en", { type: "disjunction" });

/** Names in a sentence, at most. */
const mostNames = 6;

/** What a pipeline makes of edited kernels. */
export interface CalledEdits {
  /** Whether its kernels run anything else than the shipped ones do. */
  areCalled: boolean;
  /** What of the edits it does not call, and who does, as sentences. */
  words: string[];
}

/** What of the edits the chosen pipeline calls with the chosen model, and who calls the rest. */
export function calledEdits(
  shipped: ShaderLibrary,
  edited: ShaderLibrary,
  config: TrainConfig,
  adapter: AdapterTraits,
): CalledEdits {
  const files = [...shipped.keys()].filter((file) => shipped.get(file) !== edited.get(file));
  if (files.length === 0) return { areCalled: false, words: [] };
  /** Keys of what says another thing in the edited library. */
  const changed = (textsOf: (library: ShaderLibrary) => Map<string, string>) => {
    const [before, now] = [textsOf(shipped), textsOf(edited)];
    return [...new Set([...before.keys(), ...now.keys()])].filter((key) => before.get(key) !== now.get(key));
  };
  const calledBy = (one: TrainConfig) => changed((library) => reached(library, Object.values(kernelsOf(one, adapter))));
  const declarations = changed(declared);
  const called = calledBy(config);
  const words = files
    .filter((file) => !declarations.some((key) => key.startsWith(`${file} `)))
    .map((file) => `In ${file}, only comments or whitespace differ.`);
  const uncalled = declarations.filter((key) => !called.includes(key));
  if (uncalled.length > 0) {
    const others = othersThan(config).map((one) => ({ one, keys: calledBy(one) }));
    const advices = uncalled.map((key) =>
      adviceOf(
        others.filter(({ keys }) => keys.includes(key)).map(({ one }) => one),
        config,
      ),
    );
    for (const advice of new Set(advices)) {
      const names = uncalled.filter((_, i) => advices[i] === advice).map((key) => key.split(" ")[1]);
      const told =
        names.length > mostNames ? [...names.slice(0, mostNames - 1), `${names.length - mostNames + 1} others`] : names;
      words.push(`${all.format(told)} ${names.length > 1 ? "are" : "is"} not called by ${advice}.`);
    }
  }
  return { areCalled: called.length > 0, words };
}

/** All other choices of pipeline and model that the page offers. */
function othersThan(config: TrainConfig): TrainConfig[] {
  return gpuPipelines
    .flatMap((pipeline) => models.map((model) => ({ ...config, ...model, pipeline })))
    .filter((one) => one.pipeline !== config.pipeline || !isModelOf(config, one));
}

/** Whom to choose, of those who call: another pipeline with the same model, or another model. */
function adviceOf(callers: TrainConfig[], config: TrainConfig): string {
  const { pipeline } = config;
  const sameModel = callers.filter((one) => isModelOf(config, one)).map((one) => one.pipeline);
  if (sameModel.length > 0) return `${pipeline}: choose ${either.format(sameModel)} to see it run`;
  const otherModels = callers.filter((one) => one.pipeline === pipeline).map((one) => `“${modelText(one)}”`);
  const model = `${pipeline} with the model “${modelText(config)}”`;
  if (otherModels.length > 0) return `${model}: choose the model ${either.format(otherModels)} to see it run`;
  const [other] = callers;
  return other
    ? `${model}: choose ${other.pipeline} and the model “${modelText(other)}” to see it run`
    : "any pipeline";
}
