import { Command } from "commander";
import { completionScript, shells } from "./completion.js";
import { checkName } from "./options.js";

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
      process.stdout.write(completionScript(parent!, checkName("The shell", name, shells)));
    });
}
