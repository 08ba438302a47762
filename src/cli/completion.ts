import type { Argument, Command, Option } from "commander";
import { ChoiceOption } from "./options.js";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Returns a script that completes the commands, options and named values of a program in a shell. */
export function completionScript(program: Command, shell: Shell): string {
  return { bash, zsh, fish }[shell](program);
}

const optionsOf = (command: Command) => command.createHelp().visibleOptions(command);
const flagsOf = ({ short, long }: Option) => [short, long].filter((flag) => flag != null);
const valuesOf = (option: Option) => (option instanceof ChoiceOption ? option.values : []);
/** Returns whether an option or an argument takes a path. */
const isPath = ({ flags }: Option) => /<(file|folder|run)>/.test(flags);

/** Returns a text as one word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function bash(program: Command): string {
  const flagsText = (command: Command) => optionsOf(command).flatMap(flagsOf).join(" ");
  const names = program.commands.map((command) => command.name()).join(" ");
  const valueCases = program.commands.flatMap((command) =>
    optionsOf(command)
      .filter((option) => valuesOf(option).length > 0)
      .map((option) => `    "${command.name()} ${option.long}") words="${valuesOf(option).join(" ")}" ;;`),
  );
  const commandCases = program.commands.map((command) => {
    const [first] = command.registeredArguments;
    return `      ${command.name()}) flags="${flagsText(command)}" words="${choicesOf(program, first).join(" ")}" ;;`;
  });
  return `# bash completion of splatbook
_splatbook() {
  local flags="${flagsText(program)}" words="${names}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    flags="" words=""
    case "\${COMP_WORDS[1]}" in
${commandCases.join("\n")}
    esac
  fi
  case "$2" in -*) words="$flags" ;; esac
  case "\${COMP_WORDS[1]} $3" in
${valueCases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$2"))
}
complete -o default -F _splatbook splatbook
`;
}

function zsh(program: Command): string {
  const escaped = (text: string) => text.replace(/[[\]:\\]/g, "\\$&");
  const action = (values: readonly string[], hasPath: boolean) =>
    values.length > 0 ? `(${values.join(" ")})` : hasPath ? "_files" : "";
  const specs = (command: Command) =>
    optionsOf(command).flatMap((option) =>
      flagsOf(option).map((flag) => {
        const value = option.required ? `:value:${action(valuesOf(option), isPath(option))}` : "";
        return quoted(`*${flag}[${escaped(option.description)}]${value}`);
      }),
    );
  const argument = (command: Command) =>
    command.registeredArguments.map((argument) =>
      quoted(`${argument.variadic ? "*" : ""}:${argument.name()}:${action(choicesOf(program, argument), true)}`),
    );
  const names = program.commands.map((command) => quoted(`${command.name()}:${escaped(command.description())}`));
  const cases = program.commands.map(
    (command) =>
      `    ${command.name()}) _arguments ${[...specs(command), ...argument(command)].join(" \\\n      ")} ;;`,
  );
  return `#compdef splatbook
_splatbook() {
  if (( CURRENT == 2 )); then
    local -a commands=(${names.join("\n      ")})
    _describe command commands
    _arguments ${specs(program).join(" ")}
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join("\n")}
  esac
}
if [[ $funcstack[1] == _splatbook ]]; then _splatbook "$@"; else compdef _splatbook splatbook; fi
`;
}

function fish(program: Command): string {
  const escaped = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const optionLine = (condition: string, option: Option) => {
    const values = valuesOf(option);
    const flags = [option.short && `-s ${option.short.slice(1)}`, option.long && `-l ${option.long.slice(2)}`];
    const value = !option.required ? "" : isPath(option) ? "-rF" : `-x -a ${escaped(values.join(" "))}`;
    const parts = ["complete -c splatbook", condition, ...flags, value, `-d ${escaped(option.description)}`];
    return parts.filter(Boolean).join(" ");
  };
  const lines = program.commands.flatMap((command) => {
    const condition = `-n '__fish_seen_subcommand_from ${command.name()}'`;
    const choices = command.registeredArguments.flatMap((argument) => choicesOf(program, argument));
    return [
      `complete -c splatbook -n __fish_use_subcommand -f -a ${command.name()} -d ${escaped(command.description())}`,
      ...(choices.length > 0 ? [`complete -c splatbook ${condition} -f -a ${escaped(choices.join(" "))}`] : []),
      ...optionsOf(command).map((option) => optionLine(condition, option)),
    ];
  });
  const own = optionsOf(program).map((option) => optionLine("-n __fish_use_subcommand", option));
  return `# fish completion of splatbook\n${[...own, ...lines].join("\n")}\n`;
}

/** Returns the values of an argument that is the name of a command or a shell. */
function choicesOf(program: Command, argument: Argument | undefined): readonly string[] {
  if (argument?.name() === "command") return program.commands.map((command) => command.name());
  return argument?.name() === "shell" ? shells : [];
}
