import { printable } from "../engine/quoted.js";
import { isSystemError, reasonOf } from "./failure.js";

/** Returns whether a write failed because the reader of a pipe, such as head, has ended or the terminal was closed. */
const isClosedStream = (error: Error) => isSystemError(error) && ["EPIPE", "EIO"].includes(error.code ?? "");

/** Prints lines. Control characters in them, such as those of a path, do not reach the terminal. */
export function printLines(text: string, stream: "stdout" | "stderr" = "stdout"): void {
  process[stream].write(`${text.split("\n").map(printable).join("\n")}\n`);
}

/**
 * Lets the command continue if its output has no reader. Any other error of stdout, such as a full disk, is reported.
 */
export function surviveClosedStreams(): void {
  let hasReported = false;
  process.stdout.on("error", (error) => {
    if (isClosedStream(error) || hasReported) return;
    hasReported = true;
    process.exitCode = 1;
    process.stderr.write(`Nothing could be written to stdout: ${reasonOf(error)}.\n`);
  });
  // Errors of stderr cannot be reported, and the run does not depend on it.
  process.stderr.on("error", () => {});
}
