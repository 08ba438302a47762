import { isSystemError, reasonOf } from "./failure.js";

/** What happens to a pipe whose reader has gone, such as head, and to a terminal that was closed. */
const isClosedStream = (error: Error) => isSystemError(error) && ["EPIPE", "EIO"].includes(error.code ?? "");

/**
 * Lets the command go on where nobody reads what it prints. What cannot be printed for another reason, such as on a full
 * disk, is a failure.
 */
export function surviveClosedStreams(): void {
  let hasReported = false;
  process.stdout.on("error", (error) => {
    if (isClosedStream(error) || hasReported) return;
    hasReported = true;
    process.exitCode = 1;
    process.stderr.write(`Nothing could be written to stdout: ${reasonOf(error)}.\n`);
  });
  // There is nowhere to say so, and what is kept does not depend on it.
  process.stderr.on("error", () => {});
}
