import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";

/** Whether this machine has redis-server. Tests that need it are skipped otherwise. */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/**
 * Starts a redis-server, which finds its jobs again if it is started again.
 * @param dir folder of its files
 * @param port any that is free if absent
 */
export async function startRedis(dir: string, port?: number) {
  const free = port ?? (await freePort());
  mkdirSync(dir, { recursive: true });
  const options = ["--port", String(free), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--dir", dir];
  const server: ChildProcess = spawn("redis-server", options, { stdio: ["ignore", "pipe", "ignore"] });
  for await (const text of server.stdout!) if (/ready to accept connections/i.test(String(text))) break;
  return { address: `redis://127.0.0.1:${free}`, port: free, server };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}
