import { Command } from "commander";
import type { OutputOptions } from "../runs/output.js";

export function reportCommand(): Command {
  return new Command("report")
    .description("write one or several runs as one self-contained HTML file")
    .argument("<run...>", "run folders")
    .option("--out <file>", "HTML file to write, or - for stdout", "report.html")
    .option("--force", "replace an existing file")
    .option("--json", "print one JSON object to stdout and nothing else")
    .option("--quiet", "print no progress and no summary")
    .addHelpText("after", "\nExample:\n  splatbook report runs/photo runs/other --out photo.html")
    .action(async (folders: string[], options: OutputOptions) =>
      (await import("./report.js")).report(folders, options),
    );
}
