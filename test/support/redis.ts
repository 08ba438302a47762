import { spawnSync } from "node:child_process";

/** Whether this machine has redis-server, without which what needs it is left out of the tests. */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;
