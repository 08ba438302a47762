/** The exit codes of all commands and what they mean. */
export const exitCodes: [code: string, meaning: string][] = [
  ["0", "The command succeeded."],
  ["1", "The command failed, or missed its goal."],
  ["2", "The command line or a setting is wrong."],
  ["3", "The run diverged: its loss or a parameter is not finite, or its loss is far above its best at the end."],
  ["130", "Ctrl-C stopped the command. The run is saved first."],
  ["143, 129", "SIGTERM stopped the command, or the terminal was closed. The run is saved first."],
];
