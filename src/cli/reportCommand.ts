import { Command } from "commander";
import type { ReportOptions } from "./report.js";

export function reportCommand(): Command {
  return new Command("report")
    .description("write a page of one or several runs that stands by itself, in one file")
    .argument("<run...>", "folders of runs")
    .option("--out <file>", "the HTML file to write", "report.html")
    .option("--force", "replace the file if it is there already")
    .option("--json", "print one JSON object on stdout and nothing else")
    .option("--quiet", "no progress on stderr, and no summary")
    .addHelpText("after", "\nExample:\n  splatbook report runs/photo runs/other --out photo.html")
    .action(async (folders: string[], options: ReportOptions) =>
      (await import("./report.js")).report(folders, options),
    );
}
