import { spawnSync } from "node:child_process";

/** Whether this machine has redis-server. Tests that need it are skipped otherwise. */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;
