import { constants } from "node:os";
import { showLine } from "./progress.js";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Why a command was stopped. */
class Interruption extends Error {
  override name = "AbortError";
  /** 128 and the number of the signal, as in shells: 130 for Ctrl-C. */
  readonly exitCode: number;
  constructor(signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`);
    this.exitCode = exitCodeOf(signal);
  }
}

const exitCodeOf = (signal: NodeJS.Signals) => 128 + constants.signals[signal];

/** Returns the exit code of a command that was stopped through this signal of `interruptible`. */
export function stoppedExitCode({ reason }: AbortSignal): number {
  return reason instanceof Interruption ? reason.exitCode : exitCodeOf("SIGINT");
}

/**
 * Handles Ctrl-C, SIGTERM and a terminal that closes until it is disposed of: the first one aborts the signal, a second
 * one ends the process immediately.
 */
export function interruptible(): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const interrupt = (name: NodeJS.Signals) => {
    // A terminal that closes sends SIGHUP twice, from its shell and from the system.
    if (controller.signal.aborted && name === "SIGHUP") return;
    if (controller.signal.aborted) process.exit(exitCodeOf(name));
    controller.abort(new Interruption(name));
    showLine("Stopping and saving the run. Press Ctrl-C again to quit immediately.");
  };
  const handlers = signals.map((name) => [name, () => interrupt(name)] as const);
  for (const handler of handlers) process.on(...handler);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const handler of handlers) process.off(...handler);
    },
  };
}
