import { Option } from "commander";

/**
 * An option with named values. The help lists them, and completion offers them. The command checks the value, since its
 * errors have the form of all others.
 */
export class ChoiceOption extends Option {
  constructor(
    flags: string,
    description: string,
    readonly values: readonly string[],
  ) {
    const [text, rest = ""] = description.split(/(?= \(default: )/);
    super(flags, `${text}: ${values.join(", ")}${rest}`);
  }
}
