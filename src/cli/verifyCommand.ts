import { Command } from "commander";
import type { VerifyOptions } from "./verify.js";

export function verifyCommand(): Command {
  return new Command("verify")
    .description("say whether a run is whole, and whether this machine gives the same bits again")
    .argument("<run>", "a folder that splatbook fit wrote")
    .option("--retrain", "train it again, and compare the parameters, the optimiser and the gradients bit by bit")
    .option("--json", "print one JSON object on stdout and nothing else")
    .option("--quiet", "no progress on stderr, and no summary")
    .addHelpText("after", "\nExample:\n  splatbook verify runs/photo --retrain")
    .action(async (folder: string, options: VerifyOptions) => (await import("./verify.js")).verify(folder, options));
}
