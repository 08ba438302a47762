import { fork } from "node:child_process";
import type { WorkerPort } from "../host/workerClient.js";

/**
 * Starts a process that trains a worker's runs, one after the other, so that the worker's own is free to renew locks
 * while kernels run.
 * @param env besides this process's own
 * @param before what stands before the command, as `confinement` has it
 */
export function trainerPort(env: Record<string, string>, [command, ...args]: string[]): WorkerPort {
  const node = process.execPath;
  const child = fork(new URL("./trainer.mjs", import.meta.url), {
    env: { ...process.env, ...env },
    execPath: command ?? node,
    execArgv: command === undefined ? [] : [...args, node],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return {
    // Of one that is no more it is told below.
    post: (message) => void child.send(message as object, () => {}),
    listen(onMessage, onEnd) {
      child.on("message", (message) => onMessage(message as never));
      child.on("error", ({ message }) => onEnd(message.replace(/\.$/, "")));
      child.on("exit", (code, signal) => onEnd(`its process ended with ${signal ?? `exit code ${code}`}`));
    },
    terminate: () => void child.kill("SIGKILL"),
  };
}
