import type { Command } from "commander";
import { allowedNames, completeConfig, defaults, type TrainConfig } from "../engine/config.js";
import { usageFailure } from "../terminal/failure.js";
import { flagOf, numeric } from "../terminal/flags.js";

/** The flags that set a field of the config, with what the help says of them. */
const flags: Partial<Record<keyof TrainConfig, [value: string, help: string]>> = {
  preset: ["<name>", `defaults of all other options: ${oneOf("preset")}`],
  blobs: ["<n>", "number of Gaussians (blobs)"],
  steps: ["<n>", "number of training steps"],
  learningRate: ["<x>", "learning rate of Adam"],
  centerRate: ["<x>", "centre learning rate, as a multiple of --learning-rate"],
  varianceRate: ["<x>", "variance learning rate, likewise"],
  correlationRate: ["<x>", "correlation learning rate, likewise"],
  colorRate: ["<x>", "colour learning rate, likewise"],
  opacityRate: ["<x>", "opacity learning rate, likewise"],
  schedule: ["<name>", `learning-rate schedule: ${oneOf("schedule")}`],
  finalRate: ["<x>", "learning rate of the last step, as a share of the first"],
  initializer: ["<name>", `initialization of the blobs: ${oneOf("initializer")}`],
  startShare: ["<x>", "share of the blobs that is active from the start"],
  growEvery: ["<n>", "steps between two rounds of density control, which adds and moves blobs; 0 turns it off"],
  growUntil: ["<x>", "share of the steps after which density control ends"],
  plateau: ["<dB>", "early stopping: end when a twentieth of the steps adds less than this; 0 turns it off"],
  tile: ["<WxH>", "tile size in pixels"],
  gaussiansPerBlock: ["<k>", "tile list capacity: auto, or a power of two"],
  pipeline: ["<name>", `implementation: ${oneOf("pipeline")}`],
  parameterization: ["<name>", `meaning of the raw parameters: ${oneOf("parameterization")}`],
  blend: ["<name>", `blending, alpha compositing or summation: ${oneOf("blend")}`],
  composite: ["<name>", `background: ${oneOf("composite")}`],
  biasCorrection: ["<name>", `bias correction of Adam: ${oneOf("biasCorrection")}`],
  seed: ["<n>", "random seed"],
};

/** Whether a field's value is typed as a word; a tile is one until it is checked. */
const isWord = (field: keyof TrainConfig) => typeof defaults[field] !== "number" && field !== "gaussiansPerBlock";

function oneOf(field: Parameters<typeof allowedNames>[0]): string {
  return allowedNames(field).join(", ");
}

/** Adds the flags of the config to a command; what is not given is absent from its options. */
export function addConfigFlags(command: Command): void {
  for (const [field, [value, help]] of Object.entries(flags)) {
    command.option(`${flagOf(field)} ${value}`, `${help} (default: ${shownDefault(field as keyof TrainConfig)})`);
  }
}

/** The seed preset's value, and that of the quality preset if it differs. */
function shownDefault(field: keyof TrainConfig): string {
  const show = (value: unknown) => (Array.isArray(value) ? value.join("x") : String(value));
  const seed = show(defaults[field]);
  if (field === "preset") return seed;
  const quality = field === "blobs" ? "by the image" : show(completeConfig({ preset: "quality" })[field]);
  return quality === seed ? seed : `${seed}; quality: ${quality}`;
}

/** The options of a command that has the config's flags, as they were typed. */
export type ConfigOptions = Partial<Record<keyof TrainConfig, string>>;

/**
 * The config that the flags ask for, complete.
 * @throws ConfigError
 */
export function configOf(options: ConfigOptions): TrainConfig {
  return completeConfig(givenBy(options));
}

/** What the flags say, field by field, not yet checked. */
export function givenBy(options: ConfigOptions): Partial<Record<keyof TrainConfig, string | number>> {
  return Object.fromEntries(
    givenFields(options).map((field) => [field, isWord(field) ? options[field] : numeric(options[field] ?? "")]),
  );
}

/**
 * Checks that the flags of a resumed run set no field of its config but the steps.
 * @throws Failure that names the first one
 */
export function refuseOtherThanSteps(options: ConfigOptions): void {
  const refused = givenFields(options).find((field) => field !== "steps");
  if (!refused) return;
  throw usageFailure(
    `${flagOf(refused)} cannot be given with --resume, since a run goes on with its own config; only --steps, --record-every, --record-gradients-every and --out can.`,
  );
}

/** The fields of the config that flags name. */
export function givenFields(options: ConfigOptions): (keyof TrainConfig)[] {
  return (Object.keys(flags) as (keyof TrainConfig)[]).filter((field) => options[field] !== undefined);
}
