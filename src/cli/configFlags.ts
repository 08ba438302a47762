import { type Command, Option } from "commander";
import { completeConfig, type TrainConfig } from "../engine/config.js";
import { type FieldName, fieldNames, fieldOf, formatField, parseField } from "../engine/fields.js";
import { oldFields, withPresentNames } from "../engine/oldNames.js";
import { usageFailure } from "../terminal/failure.js";
import { flagOf } from "../terminal/flags.js";
import { ChoiceOption } from "./choiceOption.js";

const placeholders = { choice: "<name>", integer: "<n>", number: "<x>", power: "<k>", size: "<WxH>" };

/** Adds an option for each field of the config to a command; a field that is not given is absent from its options. */
export function addConfigFlags(command: Command): void {
  command.option(
    "--config <file>",
    "a config.json of the lab or a run.json with settings; other options override them",
  );
  for (const name of fieldNames) {
    const field = fieldOf(name);
    const placeholder = field.unit === "dB" ? "<dB>" : placeholders[field.kind];
    const texts = [`${flagOf(name)} ${placeholder}`, `${field.help} (default: ${defaultText(name)})`] as const;
    command.addOption(field.kind === "choice" ? new ChoiceOption(...texts, field.choices) : new Option(...texts));
  }
  for (const [old, name] of Object.entries(oldFields)) {
    const option = new Option(`${flagOf(old)} <name>`).hideHelp();
    command.addOption(Object.assign(option, { attributeName: () => name }));
  }
}

/** Returns a field's value in the preset `baseline`, and that in `quality` where it differs. */
function defaultText(name: FieldName): string {
  const field = fieldOf(name);
  if (field.default === undefined) return "by the number of blobs";
  const value = String(formatField(field.default));
  if (field.quality === undefined) return value;
  return `${value}; quality: ${name === "blobs" ? "by the image" : String(formatField(field.quality))}`;
}

/** Options of a command that has the config's flags, as they were typed. */
export type ConfigOptions = Partial<Record<keyof TrainConfig | "config", string>>;

/**
 * Returns the complete config that the flags ask for.
 * @throws ConfigError
 */
export function configOf(options: ConfigOptions): TrainConfig {
  return completeConfig(typedConfig(options));
}

/** Returns the values of the flags by field. They are not checked. */
export function typedConfig(options: ConfigOptions): Partial<Record<keyof TrainConfig, string | number>> {
  const given = typedFieldNames(options).map((field) => [field, parseField(field, options[field] ?? "")]);
  return withPresentNames(Object.fromEntries(given));
}

/**
 * Checks that the flags of a resumed run set no field of its config except `steps`.
 * @throws Failure that names the first other field
 */
export function checkOnlySteps(options: ConfigOptions): void {
  const refusedField = [...typedFieldNames(options), "config" as const].find(
    (field) => field !== "steps" && options[field] !== undefined,
  );
  if (!refusedField) return;
  throw usageFailure(
    `${flagOf(refusedField)} cannot be given with --resume: the run keeps its settings, except --steps, --record-every, --record-gradients-every and --out.`,
  );
}

/** Returns the fields of the config that are set by flags. */
export function typedFieldNames(options: ConfigOptions): (keyof TrainConfig)[] {
  return fieldNames.filter((field) => options[field] !== undefined);
}
