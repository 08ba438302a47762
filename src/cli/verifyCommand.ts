import { Command } from "commander";
import { jsonOption, quietOption } from "./options.js";
import type { VerifyOptions } from "./verify.js";

export function verifyCommand(): Command {
  return new Command("verify")
    .description("check the files of a run")
    .argument("<run>", "a run folder")
    .option(...jsonOption)
    .option(...quietOption)
    .addHelpText("after", "\nExample:\n  splatbook verify runs/photo")
    .action(async (folder: string, options: VerifyOptions) => (await import("./verify.js")).verify(folder, options));
}
