import { Command } from "commander";
import { suggestionFor } from "../engine/config.js";
import { mustBe } from "../engine/quoted.js";
import { usageFailure } from "../terminal/failure.js";
import { completionScript, shells } from "./completion.js";

export function completionCommand(): Command {
  return new Command("completion")
    .description("print a script that completes commands and options in a shell")
    .argument("<shell>", "bash, zsh or fish")
    .addHelpText(
      "after",
      `
The scripts complete the command splatbook, which npm install --global or npm link installs.

Examples:
  splatbook completion bash > ~/.local/share/bash-completion/completions/splatbook
  splatbook completion zsh > ~/.zsh/completions/_splatbook
  splatbook completion fish > ~/.config/fish/completions/splatbook.fish`,
    )
    .action((name: string, _options: object, { parent }: Command) => {
      const shell = shells.find((shell) => shell === name);
      if (!shell)
        throw usageFailure(mustBe("The shell", `one of ${shells.join(", ")}`, name, suggestionFor(name, shells)));
      process.stdout.write(completionScript(parent!, shell));
    });
}
