const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Handles Ctrl-C, SIGTERM and a terminal that closes: the first one aborts the signal, a second one ends the process
 * immediately.
 * @returns the signal, and a function that restores the handling of Ctrl-C
 */
export function interruptible(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const interrupt = (name: NodeJS.Signals) => {
    // A terminal that closes sends SIGHUP twice, from its shell and from the system.
    if (controller.signal.aborted && name === "SIGHUP") return;
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
    // The message goes below the progress bar.
    if (process.stderr.isTTY) process.stderr.write("\n");
    process.stderr.write("Stopping and saving the run. Press Ctrl-C again to quit immediately.\n");
  };
  for (const signal of signals) process.on(signal, interrupt);
  const release = () => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  return { signal: controller.signal, release };
}
