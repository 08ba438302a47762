import { Command } from "commander";
import type { GradientsOptions } from "./gradients.js";

export function gradientsCommand(): Command {
  return new Command("gradients")
    .description("one backward pass at a run's parameters")
    .argument("<run>", "a folder that splatbook fit wrote")
    .option("--out <file>", "the Arrow file to write (default: the run's gradients.arrow, which keeps what it records)")
    .option("--json", "print one JSON object on stdout and nothing else")
    .addHelpText("after", "\nExample:\n  splatbook gradients runs/photo --out gradients.arrow")
    .action(async (folder: string, options: GradientsOptions) =>
      (await import("./gradients.js")).gradients(folder, options),
    );
}
