import { ConfigError } from "../engine/config.js";
import { numeric } from "../engine/fields.js";
import { printable } from "../engine/quoted.js";
import { type ManifestKind, manifestOf, manifests } from "../farm/manifest.js";
import { usageFailure } from "../terminal/failure.js";
import { count } from "../terminal/flags.js";
import { interruptible } from "../terminal/interrupt.js";

export interface WorkerOptions {
  redis?: string;
  runs?: string;
  workers?: string;
  manifest?: string;
  json?: boolean;
  quiet?: boolean;
}

export async function worker({ redis, runs, manifest, json, quiet, ...options }: WorkerOptions): Promise<void> {
  if (redis === undefined || runs === undefined) {
    throw usageFailure("worker needs --redis and --runs, such as --redis redis://HOST:6379 --runs /shared/runs.");
  }
  const asked = options.workers === undefined ? undefined : count("workers", numeric(options.workers));
  if (manifest !== undefined) {
    const { hasPassword, passwordVariable, withoutPassword } = await import("../farm/redis.js");
    const password = hasPassword(redis) ? passwordVariable : undefined;
    const workers = { redis: withoutPassword(redis), runs, workers: asked ?? 1, password };
    const text = manifestOf(kindOf(manifest), workers);
    process.stdout.write(json ? `${JSON.stringify({ manifest: text })}\n` : text);
    return;
  }
  const { connect, leaving } = await import("../farm/redis.js");
  const { openStore } = await import("../farm/openStore.js");
  const { startWorkers } = await import("../farm/workers.js");
  const { gpuFiles } = await import("../farm/adapters.js");
  await openStore(runs);
  const told = (text: string) => void (!quiet && process.stderr.write(`${text}\n`));
  const connection = await connect(redis, told);
  const interrupt = interruptible();
  const ended = { done: 0, failed: 0 };
  try {
    await new Promise<void>((resolve, reject) => {
      const stop = startWorkers(connection, {
        runs,
        count: asked ?? Math.max(1, gpuFiles().length),
        onEnd(run, trouble) {
          ended[trouble === undefined ? "done" : "failed"]++;
          told(trouble === undefined ? `${run}: done` : `${run}: ${printable(trouble)}`);
        },
        onTrouble: told,
        onRefusal: (refusal) => void process.stderr.write(`${refusal}\n`),
      });
      const end = async () => {
        const redis = leaving(connection);
        await stop();
        redis.end();
        if (redis.isCut) told("Redis does not answer, so what was begun is given to another worker once it is back.");
      };
      interrupt.signal.addEventListener("abort", () => end().then(resolve, reject));
    });
  } finally {
    interrupt.release();
    connection.disconnect();
  }
  if (json) process.stdout.write(`${JSON.stringify(ended)}\n`);
  else told(`${ended.done} runs done, ${ended.failed} tries failed.`);
}

function kindOf(manifest: string): ManifestKind {
  const kind = manifests.find((name) => name === manifest);
  if (kind) return kind;
  throw new ConfigError("manifest", manifest, `one of ${manifests.join(", ")}`);
}
