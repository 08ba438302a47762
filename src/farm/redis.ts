import { setTimeout as wait } from "node:timers/promises";
import { Redis, type RedisOptions } from "ioredis";
import { ConfigError } from "../engine/config.js";
import { asSentence, Failure } from "../terminal/failure.js";

/** Environment variable with the password of Redis, which keeps it out of `ps`. */
export const passwordVariable = "SPLATBOOK_REDIS_PASSWORD";

/** Milliseconds between two attempts to reconnect. */
const retryInterval = 500;

/** Milliseconds in which Redis must answer when a command starts, and when it ends. */
const [greetingTimeout, goodbyeTimeout] = [8000, 3000];

/** A connection that knows the additional ones that BullMQ opens. */
export class SharedRedis extends Redis {
  readonly connections: Redis[] = [this];

  override duplicate(override?: Partial<RedisOptions>): Redis {
    const connection = super.duplicate(override);
    this.connections.push(connection);
    return connection;
  }
}

/**
 * Connects to a Redis. If the connection is lost later, it reconnects without a time limit.
 * @param address redis://, rediss://, or unix: with the path of a socket
 * @param notify called when the connection is lost, and when it is back
 * @throws ConfigError, or Failure if Redis does not answer
 */
export async function connect(address: string, notify?: (text: string) => void): Promise<SharedRedis> {
  const password = process.env[passwordVariable];
  let hasConnected = false;
  let isLost = false;
  let lastError = "";
  const redis = new SharedRedis({
    ...(password && { password }),
    ...optionsOf(address),
    lazyConnect: true,
    maxRetriesPerRequest: null,
    disconnectTimeout: retryInterval,
    retryStrategy: () => (hasConnected ? retryInterval : null),
  });
  // Without a listener, BullMQ would print each failed attempt of each connection.
  redis.on("error", (error) => {
    lastError = error.message;
  });
  redis.on("reconnecting", () => {
    if (!isLost) notify?.("Lost the connection to Redis. Waiting for it.");
    isLost = true;
  });
  redis.on("ready", () => {
    if (isLost) notify?.("Redis is back.");
    isLost = false;
  });
  const greet = async () => {
    await redis.connect();
    await redis.ping();
  };
  const timeout = wait(greetingTimeout, undefined, { ref: false }).then(() => {
    throw new Error(`no answer for ${greetingTimeout / 1000} seconds`);
  });
  try {
    await Promise.race([greet(), timeout]);
    hasConnected = true;
    return redis;
  } catch (error) {
    redis.disconnect();
    const reason = asSentence(lastError || (error as Error).message);
    const hint = /^(NOAUTH|WRONGPASS)/.test(reason) ? ` Set its password in ${passwordVariable}.` : "";
    throw new Failure(`No Redis answers at ${withoutPassword(address)}: ${reason}${hint}`);
  }
}

/** A password may contain any character, so the last "@" ends it. */
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

/** Decodes percent-encoded text; returns other text unchanged. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns an address without everything before its last "@". */
export function withoutPassword(address: string): string {
  if (address.startsWith("unix:")) return address;
  return address.replace(/^((?:redis|http)s?:\/\/)?.*@/s, "$1");
}

/** Returns whether the address or the environment has a password. */
export function hasPassword(address: string): boolean {
  return withoutPassword(address) !== address || Boolean(process.env[passwordVariable]);
}

/** Watches Redis while a command ends. */
export interface ShutdownWatch {
  /** Whether the connections were cut. */
  readonly isCut: boolean;
  end(): void;
}

/**
 * Watches Redis while a command ends. If it does not answer for some seconds, its connections are cut, so that all
 * pending requests fail.
 * @param beforeCut called before that, to end retries
 */
export function watchShutdown(redis: SharedRedis, beforeCut = () => {}): ShutdownWatch {
  const state = { isCut: false, end: () => clearInterval(timer) };
  /** When the ping was sent that has no answer. */
  let sentAt: number | undefined;
  const ping = () => {
    sentAt = performance.now();
    const noteAnswer = () => {
      sentAt = undefined;
    };
    redis.ping().then(noteAnswer, noteAnswer);
  };
  const timer = setInterval(() => {
    if (sentAt === undefined) return ping();
    if (performance.now() - sentAt < goodbyeTimeout) return;
    state.end();
    state.isCut = true;
    beforeCut();
    for (const connection of redis.connections) {
      Object.assign(connection.options, { retryStrategy: () => null, connectTimeout: retryInterval });
      // A connection between two attempts would not reject its requests. One more attempt makes it do so.
      if (connection.status === "reconnecting") connection.connect().catch(() => {});
      else connection.disconnect();
    }
  }, retryInterval);
  ping();
  return state;
}

/** Returns a Failure if Redis refused a command, such as for lack of memory; undefined for other errors. */
export function refusalOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || error.name !== "ReplyError") return undefined;
  const reason = asSentence(error.message.replace(/\.? script: .*$/s, ""));
  return new Failure(`Redis refused a command: ${reason}`);
}
