import { type Command, CommanderError } from "commander";
import { colored } from "./color.js";
import { asSentence, type Failure, toFailure, usageFailure } from "./failure.js";
import { alternativeTo } from "./removed.js";

/**
 * Runs a command line, and sets the exit code of the process. A failure prints one sentence to stderr; with --json
 * or --json-lines also {"error": sentence} to stdout.
 * @param argv as process.argv
 */
export async function runCommand(program: Command, argv: string[]): Promise<void> {
  const failure = await failureOf(program, argv);
  if (!failure) return;
  process.exitCode = failure.exitCode;
  const error = failure.message;
  process.stderr.write(`${colored("red", error, "stderr")}\n`);
  if (argv.includes("--json")) process.stdout.write(`${JSON.stringify({ error })}\n`);
  if (argv.includes("--json-lines")) process.stdout.write(`${JSON.stringify({ event: "error", error })}\n`);
}

/** Runs a command line, and returns its failure, if any. */
export async function failureOf(program: Command, argv: string[]): Promise<Failure | undefined> {
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .configureOutput({ outputError() {} })
      .allowExcessArguments(false);
  }
  try {
    if (argv.length === 2 && program.commands.length > 0) throw usageFailure(commandHint(program));
    await program.parseAsync(argv);
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) return toFailure(error);
    if (error.exitCode === 0) return undefined;
    const excess = error.code === "commander.excessArguments" ? "several arguments" : "";
    const [, name = excess] = /^error: unknown \w+ '(.*?)'/s.exec(error.message) ?? [];
    return usageFailure(alternativeTo(name) ?? alternativeTo(argv[2], name) ?? toSentence(error.message));
  }
}

function commandHint(program: Command): string {
  const names = program.commands.map((command) => `${program.name()} ${command.name()}`);
  const list = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(names);
  return `A command is missing: ${list}. For help, run ${program.name()} --help.`;
}

/**
 * Returns a message of Commander, such as "error: unknown option '--blbs'\n(Did you mean --blobs?)", as one sentence.
 */
function toSentence(message: string): string {
  const text = asSentence(
    message
      .replace(/^error: /, "")
      .replace(/\s*\n\s*\(Did/, " (did")
      .replace(/\.? Expected/, ": expected"),
  );
  return text[0].toUpperCase() + text.slice(1);
}
