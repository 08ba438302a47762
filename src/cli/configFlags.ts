import type { Command } from "commander";
import { allowedNames, completeConfig, defaults, type TrainConfig } from "../engine/config.js";
import { usageFailure } from "./failure.js";
import { flagOf, numeric } from "./flags.js";

/** The flags that set a field of the config, with what the help says of them. */
const flags: Partial<Record<keyof TrainConfig, [value: string, help: string]>> = {
  preset: ["<name>", oneOf("preset")],
  blobs: ["<n>", "number of blobs"],
  steps: ["<n>", "step at which the run ends"],
  learningRate: ["<x>", "Adam's step size, in raw parameters"],
  tile: ["<WxH>", "tile size in pixels"],
  gaussiansPerBlock: ["<k>", "capacity of the short-list in workgroup memory, a power of two"],
  pipeline: ["<name>", oneOf("pipeline")],
  blend: ["<name>", `how blobs combine: ${oneOf("blend")}`],
  composite: ["<name>", `how the blend becomes a pixel: ${oneOf("composite")}`],
  seed: ["<n>", "seed of the first parameters"],
};

const words = new Set<keyof TrainConfig>(["preset", "tile", "pipeline", "blend", "composite"]);

function oneOf(field: Parameters<typeof allowedNames>[0]): string {
  return allowedNames(field).join(", ");
}

/** Adds the flags of the config to a command; what is not given is absent from its options. */
export function addConfigFlags(command: Command): void {
  for (const [field, [value, help]] of Object.entries(flags)) {
    const preset = defaults[field as keyof TrainConfig];
    const shown = Array.isArray(preset) ? preset.join("x") : preset;
    command.option(`${flagOf(field)} ${value}`, `${help} (default: ${shown})`);
  }
}

/** The options of a command that has the config's flags, as they were typed. */
export type ConfigOptions = Partial<Record<keyof TrainConfig, string>>;

/**
 * The config that the flags ask for, complete.
 * @throws ConfigError
 */
export function configOf(options: ConfigOptions): TrainConfig {
  return completeConfig(
    Object.fromEntries(
      givenFields(options).map((field) => [field, words.has(field) ? options[field] : numeric(options[field] ?? "")]),
    ),
  );
}

/**
 * A run's config with the number of steps that the flags ask for; they may ask for nothing else.
 * @throws Failure, ConfigError
 */
export function continuedConfig(config: TrainConfig, options: ConfigOptions): TrainConfig {
  const refused = givenFields(options).find((field) => field !== "steps");
  if (refused) {
    throw usageFailure(
      `${flagOf(refused)} cannot be given with --resume, since a run goes on with its own config; only --steps, --record-every, --record-gradients-every and --out can.`,
    );
  }
  return options.steps === undefined ? config : completeConfig({ ...config, steps: numeric(options.steps) });
}

function givenFields(options: ConfigOptions): (keyof TrainConfig)[] {
  return (Object.keys(flags) as (keyof TrainConfig)[]).filter((field) => options[field] !== undefined);
}
