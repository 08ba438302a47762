import { Command } from "commander";
import { parsePort, usualPort, type ViewOptions } from "./viewOptions.js";

export function viewCommand(): Command {
  return new Command("view")
    .description("serve a page that shows all runs of a folder while they train")
    .argument("[folder]", "folder with run folders at any depth, or one of them", "runs")
    .option("--port <n>", `port of the page (default: ${usualPort}, or any that is free)`, parsePort)
    .option(
      "--host <name>",
      "address to listen on; with any other, more machines can read the runs and edit their notes",
      "127.0.0.1",
    )
    .option("--open", "open the page in the browser")
    .addHelpText(
      "after",
      `
The page follows each checkpoint of fit and sweep, also of commands on other machines that write to the folder. The
name, group, tags and notes that you give a run are in its folder, in notes.json. In a clone of the project, npm run
build builds the notebook, which the page then links to.

Examples:
  splatbook view
  splatbook view runs/photos --port 8000 --open
  splatbook fit photo.jpg --open`,
    )
    .action(async (folder: string, options: ViewOptions) => (await import("./view.js")).view(folder, options));
}
