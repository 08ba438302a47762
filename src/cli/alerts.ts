import { spawn } from "node:child_process";
import type { Alert } from "../engine/training/alerts.js";
import { colored } from "../terminal/color.js";
import { asSentence } from "../terminal/failure.js";
import { showLine } from "../terminal/progress.js";
import type { FitOptions } from "./fitOptions.js";
import type { FitOutput } from "./fitOutput.js";

/** Reports alerts: as sentences on stderr, as lines of JSON, and to a command of the shell. */
export class AlertReports {
  readonly #commands: Promise<void>[] = [];

  /** @param facts about the run, which are part of the JSON */
  constructor(
    readonly facts: { out: string; image: string },
    readonly options: Pick<FitOptions, "quiet" | "alertCommand">,
    readonly output: FitOutput,
  ) {}

  readonly add = (alert: Alert): void => {
    const { quiet, alertCommand } = this.options;
    const event = { ...this.facts, ...alert };
    this.output.line("alert", event);
    if (!quiet) showLine(colored("yellow", alert.sentence, "stderr"));
    if (alertCommand !== undefined) this.#commands.push(runAlertCommand(alertCommand, event));
  };

  /** Resolves when all commands have ended. */
  async end(): Promise<void> {
    await Promise.all(this.#commands);
  }
}

/** Runs a command of the shell with an alert as JSON on its stdin. If it fails, a line on stderr reports it. */
function runAlertCommand(command: string, alert: object): Promise<void> {
  return new Promise((resolve) => {
    // What the command prints must not mix with JSON on stdout.
    const child = spawn(command, { shell: true, stdio: ["pipe", process.stderr, process.stderr] });
    const fail = (reason: string) => {
      showLine(colored("yellow", asSentence(`The alert command failed: ${reason}`), "stderr"));
      resolve();
    };
    child.on("error", ({ message }) => fail(message));
    child.on("close", (code, signal) => (code === 0 ? resolve() : fail(signal ?? `exit code ${code}`)));
    // The command need not read its stdin.
    child.stdin.on("error", () => {});
    child.stdin.end(`${JSON.stringify(alert)}\n`);
  });
}
