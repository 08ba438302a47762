import { fork } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "../host/node/install.js";
import type { WorkerPort } from "../host/workerClient.js";

/**
 * Starts a process that trains the runs of a worker, so that the worker's process can renew locks during training.
 * @param env variables to add to the environment
 * @param prefix command prefix from `confinement`
 */
export function trainerPort(env: Record<string, string>, prefix: string[]): WorkerPort {
  const [command, ...args] = [...prefix, process.execPath];
  const child = fork(join(projectRoot, "src", "farm", "trainer.mjs"), {
    env: { ...process.env, ...env },
    execPath: command,
    execArgv: args,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return {
    // A process that has ended is reported below.
    post: (message) => void child.send(message as object, () => {}),
    listen(onMessage, onEnd) {
      child.on("message", (message) => onMessage(message as never));
      child.on("error", ({ message }) => onEnd(message.replace(/\.$/, "")));
      child.on("exit", (code, signal) => onEnd(`its process ended with ${signal ?? `exit code ${code}`}`));
    },
    terminate: () => void child.kill("SIGKILL"),
  };
}
