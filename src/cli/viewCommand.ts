import { Command } from "commander";
import { count } from "./options.js";
import type { ViewOptions } from "./view.js";

export function viewCommand(): Command {
  return new Command("view")
    .description("serve a table of all runs of a folder, with their reports, while they train")
    .argument("[folder]", "folder with run folders at any depth, or one of them", "runs")
    .option(...count("--port <n>", "port of the page (default: 4100, or any that is free)"))
    .option("--host <name>", "address to listen on; with any other, more machines can read the runs", "127.0.0.1")
    .option("--open", "open the page in the browser")
    .addHelpText(
      "after",
      `
The pages follow each checkpoint of fit and sweep, also of commands on other machines that write to the folder.

Examples:
  splatbook view
  splatbook view runs/photos --port 8000 --open
  splatbook fit photo.jpg --open`,
    )
    .action(async (folder: string, options: ViewOptions) => (await import("./view.js")).view(folder, options));
}
