const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Lets Ctrl-C end a run cleanly, and likewise a request to end and a terminal that closes: the first one aborts the
 * signal, a second one ends the process at once.
 * @returns the signal, and a function after which Ctrl-C is what it was before
 */
export function interruptible(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const interrupt = (name: NodeJS.Signals) => {
    // A terminal that closes says so twice, by its shell and by the system, and has nobody who would be in a hurry.
    if (controller.signal.aborted && name === "SIGHUP") return;
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
    // Below the bar, not in it.
    if (process.stderr.isTTY) process.stderr.write("\n");
    process.stderr.write("Stopping and saving the run. Press Ctrl-C again to quit at once.\n");
  };
  for (const signal of signals) process.on(signal, interrupt);
  const release = () => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  return { signal: controller.signal, release };
}
