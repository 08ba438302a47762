import type { Command } from "commander";
import { allowedNames, completeConfig, defaults, type TrainConfig } from "../engine/config.js";
import { usageFailure } from "../terminal/failure.js";
import { flagOf, numeric } from "../terminal/flags.js";

/** The flags that set a field of the config, with what the help says of them. */
const flags: Partial<Record<keyof TrainConfig, [value: string, help: string]>> = {
  preset: ["<name>", oneOf("preset")],
  blobs: ["<n>", "number of blobs"],
  steps: ["<n>", "step at which the run ends"],
  learningRate: ["<x>", "Adam's step size, in raw parameters"],
  centerRate: ["<x>", "that of the centres, as a multiple of it"],
  varianceRate: ["<x>", "that of the variances"],
  correlationRate: ["<x>", "that of the correlation"],
  colorRate: ["<x>", "that of the colours"],
  opacityRate: ["<x>", "that of the opacity"],
  schedule: ["<name>", `how the step size falls: ${oneOf("schedule")}`],
  finalRate: ["<x>", "share of the step size that is left at the end"],
  initializer: ["<name>", `where blobs begin: ${oneOf("initializer")}`],
  startShare: ["<x>", "share of the blobs with which training begins"],
  growEvery: ["<n>", "steps between two growths, where blobs go to the error; 0 for none"],
  growUntil: ["<x>", "share of the steps after which blobs stay"],
  plateau: ["<dB>", "a twentieth of the steps that adds less ends the run; 0 for never"],
  tile: ["<WxH>", "tile size in pixels"],
  gaussiansPerBlock: ["<k>", "blobs that a workgroup takes at a time: auto, or a power of two"],
  pipeline: ["<name>", oneOf("pipeline")],
  parameterization: ["<name>", `how parameters become a blob: ${oneOf("parameterization")}`],
  blend: ["<name>", `how blobs combine: ${oneOf("blend")}`],
  composite: ["<name>", `how the blend becomes a pixel: ${oneOf("composite")}`],
  biasCorrection: ["<name>", `of Adam's moments: ${oneOf("biasCorrection")}`],
  seed: ["<n>", "seed of the first parameters"],
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

/** The seed preset's value, and what the quality preset has in its place. */
function shownDefault(field: keyof TrainConfig): string {
  const show = (value: unknown) => (Array.isArray(value) ? value.join("x") : String(value));
  const seed = show(defaults[field]);
  if (field === "preset") return seed;
  const quality = field === "blobs" ? "by the picture" : show(completeConfig({ preset: "quality" })[field]);
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
