import { setMaxListeners } from "node:events";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { AwsClient } from "aws4fetch";
import { ConfigError } from "../../engine/config.js";
import { quoted } from "../../engine/quoted.js";
import { isPathWithin } from "../../runs/pathWithin.js";
import { asSentence, Failure } from "../../terminal/failure.js";
import { retry } from "../retry.js";

/** A transient error: the network is down, S3 is overloaded, or two requests write an object at the same time (409). */
class Unreachable extends Failure {}

const isTransient = (error: unknown) => error instanceof Unreachable;

const isTransientStatus = (status: number) => status >= 500 || [408, 409, 429].includes(status);

/** Milliseconds of retries for a store that has never answered, since its address may be wrong. */
const firstContactTimeout = 3000;

/** Milliseconds in which requests must end after a stop. Cluster schedulers give 30 seconds. */
const shutdownTimeout = 20_000;

/** The objects below a prefix of a bucket. Requests are retried while their errors are transient. */
export class S3Bucket {
  readonly #client: AwsClient;
  readonly #signal: AbortSignal | undefined;
  /** Aborts some time after the signal, and ends pending requests. */
  readonly #cutSignal: AbortSignal | undefined;
  /** Whether the bucket has ever answered; shared by its copies with other signals. */
  readonly #reach: { isReached: boolean };

  private constructor(
    readonly name: string,
    readonly url: string,
    client: AwsClient,
    reach = { isReached: false },
    signal?: AbortSignal,
  ) {
    this.#client = client;
    this.#reach = reach;
    this.#signal = signal;
    this.#cutSignal = signal && delayedSignal(signal);
  }

  /** @throws ConfigError, or Failure if the environment has no credentials */
  static open(address: string): S3Bucket {
    const [, bucket, prefix] = /^s3:\/\/([\w.-]+)\/*(.*?)\/*$/.exec(address) ?? [];
    if (!bucket) throw new ConfigError("runs", address, "s3://BUCKET/PREFIX");
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION = "us-east-1" } = process.env;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
      throw new Failure(`${address} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.`);
    }
    const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
    const host = endpoint
      ? `${endpoint.replace(/\/$/, "")}/${bucket}`
      : `https://${bucket}.s3.${AWS_REGION}.amazonaws.com`;
    const client = new AwsClient({
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
      region: AWS_REGION,
      service: "s3",
      retries: 0,
    });
    return new S3Bucket(address, prefix ? `${host}/${prefix}` : host, client);
  }

  /** Returns the same bucket, with retries that end when the signal aborts. */
  withSignal(signal: AbortSignal): S3Bucket {
    // All files of a run listen to it at the same time.
    setMaxListeners(0, signal);
    return new S3Bucket(this.name, this.url, this.#client, this.#reach, signal);
  }

  async has(key: string): Promise<boolean> {
    return (await this.#request("HEAD", key, [404])).ok;
  }

  /** Writes an object unless it exists. Returns whether it was written. */
  async putNew(key: string, body: string): Promise<boolean> {
    const headers = { "If-None-Match": "*" };
    return (await this.#request("PUT", key, [412], async () => ({ body, headers }))).ok;
  }

  async put(key: string, body: Uint8Array): Promise<void> {
    await this.#request("PUT", key, [], async () => ({ body: body as BodyInit }));
  }

  /** Uploads a file of any size as a stream. */
  async upload(key: string, path: string): Promise<void> {
    await this.#request("PUT", key, [], async () => {
      const { size } = await stat(path);
      const body = Readable.toWeb(createReadStream(path)) as unknown as BodyInit;
      return { body, duplex: "half", headers: { "Content-Length": String(size) } } as RequestInit;
    });
  }

  /** Downloads an object of any size in pieces. The first piece is empty, so that an empty object has one. */
  async *pieces(key: string): AsyncGenerator<Uint8Array> {
    const { body } = await this.#request("GET", key, []);
    yield new Uint8Array();
    try {
      for await (const piece of body ?? []) yield piece;
    } catch (error) {
      throw this.#unreachable(error);
    }
  }

  async get(key: string): Promise<Uint8Array> {
    const read = async () => {
      const response = await this.#request("GET", key, []);
      return new Uint8Array(
        await response.arrayBuffer().catch((error) => {
          throw this.#unreachable(error);
        }),
      );
    };
    return this.retry(read);
  }

  async delete(key: string): Promise<void> {
    await this.#request("DELETE", key, [404]);
  }

  /** Runs work again while its errors are transient, such as a connection that ends in the middle of an object. */
  retry<T>(work: () => Promise<T>): Promise<T> {
    return retry(work, isTransient, this.#signal);
  }

  /** @param init returns the options of the request, for each attempt */
  async #request(
    method: string,
    key: string,
    allowed: number[],
    init: () => Promise<RequestInit> = async () => ({}),
  ): Promise<Response> {
    if (!isPathWithin(key)) throw new Failure(`${quoted(key)} is not a valid key in ${this.name}.`);
    const path = key.split("/").map(encodeURIComponent).join("/");
    const sendRequest = async () => {
      const signed = await this.#client.sign(`${this.url}/${path}`, { method, ...(await init()) });
      // The signal is passed here, since that of a Request may be garbage-collected with the request while it is
      // pending.
      const response = await fetch(signed, { signal: this.#cutSignal }).catch((error) => {
        throw this.#unreachable(error);
      });
      if (response.ok || allowed.includes(response.status)) return response;
      const FailureKind = isTransientStatus(response.status) ? Unreachable : Failure;
      throw new FailureKind(`${this.name} answers ${method} ${key} with ${response.status} ${response.statusText}.`);
    };
    const response = await retry(
      sendRequest,
      isTransient,
      this.#signal,
      this.#reach.isReached ? undefined : firstContactTimeout,
    );
    this.#reach.isReached = true;
    return response;
  }

  #unreachable(cause: unknown): Unreachable {
    const error = cause as Error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    return new Unreachable(`${this.name} cannot be reached: ${asSentence(reason)}`);
  }
}

function delayedSignal(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const startTimer = () => {
    setTimeout(() => controller.abort(new Error("no answer")), shutdownTimeout).unref();
  };
  if (signal.aborted) startTimer();
  else signal.addEventListener("abort", startTimer, { once: true });
  return controller.signal;
}
