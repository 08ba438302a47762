import { type Command, Option } from "commander";
import { completeConfig, type TrainConfig } from "../engine/config.js";
import { type FieldName, fieldNames, fieldOf, formatField, parseField } from "../engine/fields.js";
import { oldFields, withPresentNames } from "../engine/oldNames.js";
import { flagOf } from "../terminal/flags.js";
import { choice } from "./options.js";

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
    const texts: [string, string] = [`${flagOf(name)} ${placeholder}`, `${field.help} (default: ${defaultText(name)})`];
    const option = new Option(...(field.kind === "choice" ? choice(...texts, field.choices) : texts));
    command.addOption(option.argParser((text) => parseField(name, text)));
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

/** Options of a command that has the config's flags. The values are not checked. */
export type ConfigOptions = Partial<Record<keyof TrainConfig, string | number>> & { config?: string };

/**
 * Returns the complete config that the flags ask for.
 * @throws ConfigError
 */
export function configOf(options: ConfigOptions): TrainConfig {
  return completeConfig(givenConfig(options));
}

/** Returns the values of the flags by field. They are not checked. */
export function givenConfig(options: ConfigOptions): Partial<Record<keyof TrainConfig, string | number>> {
  const given = fieldNames.filter((field) => options[field] !== undefined);
  return withPresentNames(Object.fromEntries(given.map((field) => [field, options[field]])));
}
