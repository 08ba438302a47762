import { Command } from "commander";
import type { GradientsOptions } from "./gradients.js";
import { jsonOption } from "./options.js";

export function gradientsCommand(): Command {
  return new Command("gradients")
    .description("run one backward pass at the final parameters of a run")
    .argument("<run>", "a run folder")
    .option("--out <file>", "Arrow file to write, or - for stdout (default: add to the gradients.arrow of the run)")
    .option(...jsonOption)
    .addHelpText("after", "\nExample:\n  splatbook gradients runs/photo --out gradients.arrow")
    .action(async (folder: string, options: GradientsOptions) =>
      (await import("./gradients.js")).gradients(folder, options),
    );
}
