import { spawn } from "node:child_process";
import { colored } from "../terminal/color.js";
import { asSentence } from "../terminal/failure.js";
import { showLine } from "../terminal/progress.js";

/** Runs a command of the shell with an alert as JSON on its stdin. If it fails, a line on stderr reports it. */
export function runAlertCommand(command: string, alert: object): Promise<void> {
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
