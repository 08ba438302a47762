import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { AwsClient } from "aws4fetch";
import { ConfigError } from "../../engine/config.js";
import { quoted } from "../../engine/quoted.js";
import { disk } from "../disk.js";
import { Failure } from "../failure.js";
import { leadsWithin } from "../pathWithin.js";
import { begunFile, makeFolder, Staging } from "../staging.js";
import { type Attempt, type Given, givenFile, type Store } from "./store.js";

/**
 * A bucket of S3 or what speaks as it. The files of an attempt have names of their own, and a run is committed by one
 * object that lists them and is only written if it is not there: whoever comes second finds it, and has written over
 * nothing.
 */
export class S3Store implements Store {
  readonly #client: AwsClient;
  readonly #url: string;

  private constructor(
    readonly name: string,
    client: AwsClient,
    url: string,
  ) {
    this.#client = client;
    this.#url = url;
  }

  /** @throws ConfigError, or Failure where the environment has no credentials */
  static open(place: string): S3Store {
    const [, bucket, prefix] = /^s3:\/\/([\w.-]+)\/*(.*?)\/*$/.exec(place) ?? [];
    if (!bucket) throw new ConfigError("runs", place, "s3://BUCKET/PREFIX");
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION = "us-east-1" } = process.env;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
      throw new Failure(`${place} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.`);
    }
    const given = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
    const host = given ? `${given.replace(/\/$/, "")}/${bucket}` : `https://${bucket}.s3.${AWS_REGION}.amazonaws.com`;
    const client = new AwsClient({
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
      region: AWS_REGION,
      service: "s3",
      retries: 4,
    });
    return new S3Store(place, client, prefix ? `${host}/${prefix}` : host);
  }

  async put(kind: Given, given: string, bytes: Uint8Array): Promise<void> {
    await this.#put(givenFile(kind, given), bytes);
  }

  get(kind: Given, given: string): Promise<Uint8Array> {
    return this.#get(givenFile(kind, given));
  }

  remove(kind: Given, given: string): Promise<void> {
    return this.#delete(givenFile(kind, given));
  }

  async has(run: string): Promise<boolean> {
    return (await this.#ask("HEAD", listOf(run), [404])).ok;
  }

  async begin(id: string, token: string): Promise<Attempt> {
    const folder = await mkdtemp(join(tmpdir(), "splatbook-attempt-"));
    const discard = () => disk.remove(folder);
    const commit = async (run: string) => {
      const files = await filesBelow(folder);
      const place = `${attempts}/${id}.${token.replace(/\W/g, "-")}`;
      await Promise.all(files.map(async (file) => this.#put(`${place}/${file}`, await readFile(join(folder, file)))));
      const list: Committed = { place, files };
      const headers = { "If-None-Match": "*" };
      const { ok } = await this.#ask("PUT", listOf(run), [412], { body: JSON.stringify(list), headers });
      // What was there may be this attempt, whose first answer was lost.
      if (!ok && (await this.#committed(run)).place !== place) await this.#deleteFiles(list);
      await discard();
    };
    return { folder, isBegun: false, commit, discard };
  }

  async fetch(run: string, folder: string): Promise<void> {
    const { place, files } = await this.#committed(run);
    const bodies = await Promise.all(files.map((file) => this.#get(`${place}/${file}`)));
    const next = join(dirname(folder), begunFile("-fetched"));
    await disk.remove(next);
    await makeFolder(next);
    const staging = new Staging(next);
    for (const [i, file] of files.entries()) await staging.write(file, bodies[i]);
    await staging.commit();
    await disk.remove(folder);
    await disk.rename(next, folder);
  }

  async removeRun(run: string): Promise<void> {
    const committed = await this.#committed(run);
    await this.#delete(listOf(run));
    await this.#deleteFiles(committed);
  }

  // What a machine has of a run stays there.
  async handOver(): Promise<void> {}
  async takeOver(): Promise<void> {}

  async #committed(run: string): Promise<Committed> {
    const text = new TextDecoder().decode(await this.#get(listOf(run)));
    const list = committedBy(text);
    if (list) return list;
    throw new Failure(`${listOf(run)} of ${this.name} does not list the files of a run, but holds ${quoted(text)}.`);
  }

  async #deleteFiles({ place, files }: Committed): Promise<void> {
    await Promise.all(files.map((file) => this.#delete(`${place}/${file}`)));
  }

  async #put(key: string, body: Uint8Array): Promise<void> {
    await this.#ask("PUT", key, [], { body: body as BodyInit });
  }

  async #get(key: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#ask("GET", key, [])).arrayBuffer());
  }

  async #delete(key: string): Promise<void> {
    await this.#ask("DELETE", key, [404]);
  }

  async #ask(method: string, key: string, allowed: number[], init: RequestInit = {}): Promise<Response> {
    if (!leadsWithin(key)) throw new Failure(`${quoted(key)} is not the name of an object in ${this.name}.`);
    const path = key.split("/").map(encodeURIComponent).join("/");
    const response = await this.#client.fetch(`${this.#url}/${path}`, { method, ...init }).catch((error: Error) => {
      const why = error.cause instanceof Error ? error.cause.message : error.message;
      throw new Failure(`${this.name} cannot be reached: ${why.replace(/[.\s]*$/, ".")}`);
    });
    if (response.ok || allowed.includes(response.status)) return response;
    throw new Failure(`${this.name} answers ${method} ${key} with ${response.status} ${response.statusText}.`);
  }
}

/** What a run's object holds. */
interface Committed {
  place: string;
  files: string[];
}

/** Where attempts lie, each in a folder of its own. */
const attempts = "attempts";

/** What such an object says, which anyone may have written who can write to the bucket; undefined if it cannot be used. */
function committedBy(text: string): Committed | undefined {
  try {
    const { place, files } = JSON.parse(text);
    const isUsable = leadsWithin(place) && place.startsWith(`${attempts}/`) && Array.isArray(files);
    return isUsable && files.every(leadsWithin) ? { place, files } : undefined;
  } catch {
    return undefined;
  }
}

const listOf = (run: string) => `runs/${run}.json`;

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll("\\", "/"));
}
