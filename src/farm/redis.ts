import { setTimeout as wait } from "node:timers/promises";
import { Redis, type RedisOptions } from "ioredis";
import { ConfigError } from "../engine/config.js";
import { Failure } from "../terminal/failure.js";

/** The variable of the environment that has Redis's password, where `ps` does not show it. */
export const passwordVariable = "SPLATBOOK_REDIS_PASSWORD";

/** Milliseconds between two tries to reach a Redis that has gone. */
const retryInterval = 500;

/** Milliseconds in which a Redis has to answer a command that begins, and one that wants to end. */
const [greetingTimeout, goodbyeTimeout] = [8000, 3000];

/** The connections that BullMQ made of one, to wait on. */
const duplicates = new WeakMap<Redis, Set<Redis>>();

/**
 * Connects to a Redis. One that goes away later is waited for, however long.
 * @param address redis://, rediss://, or unix: and the path of a socket
 * @param notify what is told when it goes, and when it is back
 * @param password where the address has none
 * @throws ConfigError, or Failure if none answers
 */
export async function connect(
  address: string,
  notify?: (text: string) => void,
  password = process.env[passwordVariable],
): Promise<Redis> {
  let hasConnected = false;
  let isLost = false;
  let lastError = "";
  const redis = new Redis({
    ...(password && { password }),
    ...optionsOf(address),
    lazyConnect: true,
    maxRetriesPerRequest: null,
    disconnectTimeout: retryInterval,
    retryStrategy: () => (hasConnected ? retryInterval : null),
  });
  // What BullMQ would print of each try, every connection of its own.
  redis.on("error", (error) => {
    lastError = error.message;
  });
  redis.on("reconnecting", () => {
    if (!isLost) notify?.("Redis has gone; it is waited for.");
    isLost = true;
  });
  redis.on("ready", () => {
    if (isLost) notify?.("Redis is back.");
    isLost = false;
  });
  trackDuplicates(redis);
  try {
    const greet = async () => {
      await redis.connect();
      await redis.ping();
    };
    await withTimeout(greetingTimeout, greet());
    hasConnected = true;
    return redis;
  } catch (error) {
    redis.disconnect();
    const reason = (lastError || (error as Error).message).replace(/[.\s]*$/, ".");
    const hint = /^(NOAUTH|WRONGPASS)/.test(reason) ? ` ${passwordVariable} may hold its password.` : "";
    throw new Failure(`No Redis answers at ${withoutPassword(address)}: ${reason}${hint}`);
  }
}

async function withTimeout(milliseconds: number, work: Promise<void>): Promise<void> {
  const controller = new AbortController();
  const timeout = wait(milliseconds, undefined, { signal: controller.signal }).then(
    () => Promise.reject(new Error(`it has said nothing for ${milliseconds / 1000} seconds`)),
    () => {},
  );
  await Promise.race([work, timeout]).finally(() => controller.abort());
}

/** A password may hold any character, so that only the last "@" ends it. */
const addressParts = /^(rediss?:\/\/)(?:([^:]*?)(?::(.*))?@)?([^@]*)$/s;

function optionsOf(address: string): RedisOptions {
  if (/^unix:./.test(address)) return { path: address.slice("unix:".length) };
  const [, scheme, username, password, endpoint] = addressParts.exec(address) ?? [];
  const url = URL.canParse(`${scheme}${endpoint}`) ? new URL(`${scheme}${endpoint}`) : undefined;
  if (!url?.hostname) {
    throw new ConfigError("redis", withoutPassword(address), "redis://HOST:PORT, rediss://HOST:PORT or unix:PATH");
  }
  return {
    host: url.hostname,
    port: Number(url.port || 6379),
    db: Number(url.pathname.slice(1)) || 0,
    ...(username && { username: decodeText(username) }),
    ...(password && { password: decodeText(password) }),
    ...(url.protocol === "rediss:" && { tls: {} }),
  };
}

/** What was written for a URL, or as it is. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An address as it may be shown: without all that lies before its last "@". */
export function withoutPassword(address: string): string {
  if (address.startsWith("unix:")) return address;
  return address.replace(/^((?:redis|http)s?:\/\/)?.*@/s, "$1");
}

/** Whether an address, or the environment, has a password. */
export function hasPassword(address: string): boolean {
  return withoutPassword(address) !== address || Boolean(process.env[passwordVariable]);
}

function trackDuplicates(redis: Redis): void {
  const connections = new Set<Redis>();
  duplicates.set(redis, connections);
  const { duplicate } = redis;
  redis.duplicate = (...options) => {
    const connection = duplicate.apply(redis, options);
    connections.add(connection);
    return connection;
  };
}

/** A watch over a Redis while a command ends that uses it. */
export interface ShutdownWatch {
  /** Whether the connections were cut. */
  readonly isCut: boolean;
  end(): void;
}

/**
 * Watches a Redis while a command ends that uses it: if it does not answer for some seconds, its connections are cut, so
 * that whatever waits for it fails.
 * @param beforeCut ends what would otherwise try again
 */
export function watchShutdown(redis: Redis, beforeCut = () => {}): ShutdownWatch {
  const controller = new AbortController();
  const { signal } = controller;
  const state = { isCut: false, end: () => controller.abort() };
  const disconnectAll = () => {
    state.isCut = true;
    beforeCut();
    for (const connection of [redis, ...(duplicates.get(redis) ?? [])]) {
      Object.assign(connection.options, { retryStrategy: () => null, connectTimeout: retryInterval });
      // One that is between two tries would not tell what waits for it, if it were cut: one more try is its last.
      if (connection.status === "reconnecting") connection.connect().catch(() => {});
      else connection.disconnect();
    }
  };
  const watch = async () => {
    while (!signal.aborted && !state.isCut) {
      const timeout = wait(goodbyeTimeout, true, { signal }).catch(() => false);
      const answer = redis.ping().then(
        () => false,
        () => false,
      );
      if (await Promise.race([answer, timeout])) disconnectAll();
      await wait(retryInterval, undefined, { signal }).catch(() => {});
    }
  };
  void watch();
  return state;
}

/** What Redis said where it refuses a command, such as one that has no memory left; undefined of any other error. */
export function refusalOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || error.name !== "ReplyError") return undefined;
  const reason = error.message.replace(/\.? script: .*$/s, "").replace(/[.\s]*$/, ".");
  return new Failure(`Redis refuses what it is asked: ${reason}`);
}
