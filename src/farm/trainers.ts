import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../host/node/install.js";
import { WorkerClient, type WorkerPort } from "../host/workerClient.js";
import { confinement } from "./confinement.js";
import type { FarmResult } from "./farmJob.js";
import type { TrainerRequest } from "./trainer.js";

/** How often a job may lose its process or its worker before it fails. */
export const maxLostAttempts = 5;

/** A process that trains jobs, so that the process of its worker can renew locks meanwhile. */
export class Trainer {
  #client: WorkerClient<TrainerRequest, FarmResult | undefined>;

  /** @param openPort starts the process; here already, since this takes a while, and again if it has ended */
  constructor(readonly openPort: () => WorkerPort) {
    this.#client = new WorkerClient(openPort(), "The trainer");
  }

  /**
   * Trains a job, the `attempt`th time.
   * @returns the result; undefined if the job was stopped or lost its process, and can be continued
   */
  async train(request: TrainerRequest, attempt: number, signal: AbortSignal): Promise<FarmResult | undefined> {
    if (this.#client.ended) this.#client = new WorkerClient(this.openPort(), "The trainer");
    const client = this.#client;
    return client.ask(request, [], signal).catch((error) => {
      if (!client.ended || attempt >= maxLostAttempts) throw error;
      return undefined;
    });
  }

  end(): void {
    this.#client.end(new Error("The worker has ended."));
  }
}

/**
 * Starts trainers, each with its own GPU if there are several.
 * @param runs the folder of the store
 * @param onWarning called with the reason if they have to share a GPU
 */
export function startTrainers(runs: string, count: number, onWarning?: (warning: string) => void): Trainer[] {
  const { commandPrefixes = [[]], warning } = count > 1 ? confinement() : {};
  if (warning !== undefined) onWarning?.(warning);
  const threads = Math.max(1, Math.floor(availableParallelism() / count));
  const variables = { SPLATBOOK_RUNS: runs, SPLATBOOK_THREADS: String(threads) };
  return Array.from({ length: count }, (_, i) => {
    return new Trainer(() => trainerPort(variables, commandPrefixes[i % commandPrefixes.length]));
  });
}

function trainerPort(variables: Record<string, string>, prefix: string[]): WorkerPort {
  const [command, ...args] = [...prefix, process.execPath];
  const child = fork(join(projectRoot, "src", "farm", "trainer.mjs"), {
    env: { ...process.env, ...variables },
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
