import { Command } from "commander";
import type { OutputOptions } from "../runs/output.js";
import { forceOption, jsonOption, quietOption } from "./options.js";

export function reportCommand(): Command {
  return new Command("report")
    .description("write runs or a sweep as one self-contained HTML file")
    .argument("<run...>", "run folders, or the folder of a sweep")
    .option("--out <file>", "HTML file to write, or - for stdout", "report.html")
    .option(...forceOption)
    .option(...jsonOption)
    .option(...quietOption)
    .addHelpText(
      "after",
      `
The report of a sweep has a chart of all runs, their ranking, and the report of the best run.

Examples:
  splatbook report runs/photo runs/other --out photo.html
  splatbook report runs/photo-sweep --out sweep.html`,
    )
    .action(async (folders: string[], options: OutputOptions) =>
      (await import("./report.js")).report(folders, options),
    );
}
