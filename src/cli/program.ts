import { Command } from "commander";
import { versions } from "../host/node/project.js";
import { helpStyles } from "../terminal/color.js";
import { benchCommand } from "./benchCommand.js";
import {
  exportCommand,
  gradientsCommand,
  renderCommand,
  reportCommand,
  verifyCommand,
  viewCommand,
  workerCommand,
} from "./commands.js";
import { fitCommand } from "./fitCommand.js";
import { checkName } from "./options.js";
import { sweepCommand } from "./sweepCommand.js";

/** The exit codes of all commands and what they mean. */
export const exitCodes: [code: string, meaning: string][] = [
  ["0", "The command succeeded."],
  ["1", "The command failed, or missed its goal."],
  ["2", "The command line or a setting is wrong."],
  ["3", "The run diverged: its loss or a parameter is not finite, or its loss is far above its best at the end."],
  ["130", "Ctrl-C stopped the command. The run is saved first."],
  ["143, 129", "SIGTERM stopped the command, or the terminal was closed. The run is saved first."],
];

/** Returns the command line with all its commands. */
export function makeProgram(): Command {
  const program = new Command("splatbook")
    .description("Train 2D Gaussians on an image, on the GPU or the CPU.")
    .version(versions().splatbook, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help, or the help of a command")
    .helpCommand(false)
    .configureHelp(helpStyles)
    .addCommand(fitCommand())
    .addCommand(sweepCommand())
    .addCommand(viewCommand())
    .addCommand(workerCommand())
    .addCommand(gradientsCommand())
    .addCommand(renderCommand())
    .addCommand(exportCommand())
    .addCommand(reportCommand())
    .addCommand(verifyCommand())
    .addCommand(benchCommand())
    .addCommand(helpCommand())
    .addHelpText(
      "after",
      `
Exit codes:
${exitCodes.map(([code, meaning]) => `  ${code.padEnd(9)} ${meaning}`).join("\n")}

Examples:
  splatbook fit photo.jpg --preset quality
  splatbook view runs --open
  splatbook report runs/photo --out photo.html
  splatbook help fit`,
    );
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

function helpCommand(): Command {
  return new Command("help")
    .description("print the help of a command")
    .argument("[command]", "a command, such as fit")
    .addHelpText("after", "\nExample:\n  splatbook help fit")
    .action((name: string | undefined, _options: object, { parent }: Command) => {
      const program = parent!;
      if (name === undefined) return program.outputHelp();
      const names = program.commands.map((command) => command.name());
      const known = checkName("The command", name, names);
      program.commands[names.indexOf(known)].outputHelp();
    });
}
