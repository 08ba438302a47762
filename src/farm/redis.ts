import { setTimeout as wait } from "node:timers/promises";
import { Redis, type RedisOptions } from "ioredis";
import { ConfigError } from "../engine/config.js";
import { Failure } from "../terminal/failure.js";

/** The variable of the environment that has Redis's password, where `ps` does not show it. */
export const passwordVariable = "SPLATBOOK_REDIS_PASSWORD";

/** Milliseconds between two tries to reach a Redis that has gone. */
const retryEvery = 500;

/** Milliseconds in which a Redis has to answer a command that begins, and one that wants to end. */
const [longestGreeting, longestGoodbye] = [8000, 3000];

/** The connections that BullMQ made of one, to wait on. */
const duplicates = new WeakMap<Redis, Set<Redis>>();

/**
 * Connects to a Redis. One that goes away later is waited for, however long.
 * @param address redis://, rediss://, or unix: and the path of a socket
 * @param tell what is told when it goes, and when it is back
 * @param password where the address has none
 * @throws ConfigError, or Failure if none answers
 */
export async function connect(
  address: string,
  tell?: (text: string) => void,
  password = process.env[passwordVariable],
): Promise<Redis> {
  let isReached = false;
  let isGone = false;
  let trouble = "";
  const redis = new Redis({
    ...(password && { password }),
    ...optionsOf(address),
    lazyConnect: true,
    maxRetriesPerRequest: null,
    disconnectTimeout: retryEvery,
    retryStrategy: () => (isReached ? retryEvery : null),
  });
  // What BullMQ would print of each try, every connection of its own.
  redis.on("error", (error) => {
    trouble = error.message;
  });
  redis.on("reconnecting", () => {
    if (!isGone) tell?.("Redis has gone; it is waited for.");
    isGone = true;
  });
  redis.on("ready", () => {
    if (isGone) tell?.("Redis is back.");
    isGone = false;
  });
  rememberDuplicates(redis);
  try {
    const greet = async () => {
      await redis.connect();
      await redis.ping();
    };
    await within(longestGreeting, greet());
    isReached = true;
    return redis;
  } catch (error) {
    redis.disconnect();
    const why = (trouble || (error as Error).message).replace(/[.\s]*$/, ".");
    const hint = /^(NOAUTH|WRONGPASS)/.test(why) ? ` ${passwordVariable} may hold its password.` : "";
    throw new Failure(`No Redis answers at ${withoutPassword(address)}: ${why}${hint}`);
  }
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = wait(milliseconds, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error(`it has said nothing for ${milliseconds / 1000} seconds`)),
    () => {},
  );
  await Promise.race([work, late]).finally(() => over.abort());
}

/** A password may hold any character, so that only the last "@" ends it. */
const addressParts = /^(rediss?:\/\/)(?:([^:]*?)(?::(.*))?@)?([^@]*)$/s;

function optionsOf(address: string): RedisOptions {
  if (/^unix:./.test(address)) return { path: address.slice("unix:".length) };
  const [, scheme, username, password, place] = addressParts.exec(address) ?? [];
  const url = URL.canParse(`${scheme}${place}`) ? new URL(`${scheme}${place}`) : undefined;
  if (!url?.hostname) {
    throw new ConfigError("redis", withoutPassword(address), "redis://HOST:PORT, rediss://HOST:PORT or unix:PATH");
  }
  return {
    host: url.hostname,
    port: Number(url.port || 6379),
    db: Number(url.pathname.slice(1)) || 0,
    ...(username && { username: decoded(username) }),
    ...(password && { password: decoded(password) }),
    ...(url.protocol === "rediss:" && { tls: {} }),
  };
}

/** What was written for a URL, or as it is. */
function decoded(text: string): string {
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

function rememberDuplicates(redis: Redis): void {
  const made = new Set<Redis>();
  duplicates.set(redis, made);
  const { duplicate } = redis;
  redis.duplicate = (...options) => {
    const one = duplicate.apply(redis, options);
    made.add(one);
    return one;
  };
}

/** A watch over a Redis while a command ends that uses it. */
export interface Leaving {
  /** Whether the connections were cut. */
  readonly isCut: boolean;
  end(): void;
}

/**
 * Watches a Redis while a command ends that uses it: if it does not answer for some seconds, its connections are cut, so
 * that whatever waits for it fails.
 * @param beforeCut ends what would otherwise try again
 */
export function leaving(redis: Redis, beforeCut = () => {}): Leaving {
  const over = new AbortController();
  const { signal } = over;
  const state = { isCut: false, end: () => over.abort() };
  const cut = () => {
    state.isCut = true;
    beforeCut();
    for (const one of [redis, ...(duplicates.get(redis) ?? [])]) {
      Object.assign(one.options, { retryStrategy: () => null, connectTimeout: retryEvery });
      // One that is between two tries would not tell what waits for it, if it were cut: one more try is its last.
      if (one.status === "reconnecting") one.connect().catch(() => {});
      else one.disconnect();
    }
  };
  const watch = async () => {
    while (!signal.aborted && !state.isCut) {
      const late = wait(longestGoodbye, true, { signal }).catch(() => false);
      const answer = redis.ping().then(
        () => false,
        () => false,
      );
      if (await Promise.race([answer, late])) cut();
      await wait(retryEvery, undefined, { signal }).catch(() => {});
    }
  };
  void watch();
  return state;
}

/** What Redis said where it refuses a command, such as one that has no memory left; undefined of any other error. */
export function refusalOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || error.name !== "ReplyError") return undefined;
  const why = error.message.replace(/\.? script: .*$/s, "").replace(/[.\s]*$/, ".");
  return new Failure(`Redis refuses what it is asked: ${why}`);
}
