import { Command } from "commander";
import { versions } from "../host/node/project.js";
import { helpStyles } from "../terminal/color.js";
import { benchCommand } from "./benchCommand.js";
import { exitCodes } from "./exitCodes.js";
import { exportCommand } from "./exportCommand.js";
import { fitCommand } from "./fitCommand.js";
import { gradientsCommand } from "./gradientsCommand.js";
import { checkName } from "./options.js";
import { renderCommand } from "./renderCommand.js";
import { reportCommand } from "./reportCommand.js";
import { sweepCommand } from "./sweepCommand.js";
import { verifyCommand } from "./verifyCommand.js";
import { viewCommand } from "./viewCommand.js";
import { workerCommand } from "./workerCommand.js";

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
  splatbook fit data/images/astronaut.png --blobs 2000 --steps 500 --out runs/astronaut
  splatbook sweep photo.jpg --vary learning-rate=0.001..0.1x5 --vary blobs=1000,4000
  splatbook view runs --open
  splatbook render runs/astronaut --size 1024x1024 --out astronaut.png
  splatbook export runs/astronaut --out astronaut.splat2d
  splatbook report runs/astronaut --out astronaut.html
  splatbook verify runs/astronaut
  splatbook bench --blobs 2000 --steps 20
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
