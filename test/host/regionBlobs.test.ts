import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeEach, describe, it, vi } from "vitest";
import { readParameters } from "../../src/engine/files/arrow.js";
import { runFiles } from "../../src/engine/files/runFiles.js";
import { IndexedBlobs, pixelBounds } from "../../src/engine/regions/blobs.js";
import { RangedFile } from "../../src/host/browser/rangedFile.js";
import { RegionBlobs } from "../../src/host/regionBlobs.js";
import { openRunFolder } from "../../src/runs/runFolder.js";

const folder = "data/runs/chelsea-regions";
const bytes = readFileSync(join(folder, runFiles.parameters));
const run = await openRunFolder(folder);
const { config, image, regions } = run.description;
const list = regions!.list;
const whole = new IndexedBlobs(config, image, readParameters(bytes).parameters);
/** A box in a region at the edge of the image, as distant from other regions as possible. */
const within = (i: number) => {
  const { x, y, width } = list[i];
  const left = x === 0 ? 0 : x + width === image.width ? image.width - 1 : x + width / 2;
  return pixelBounds({ x: left, y: y === 0 ? 0 : image.height - 1, width: 1, height: 1 });
};

/** The requests to the host, and the bytes that it sent. */
let asked: string[] = [];
let sent = 0;
/** How it handles a request. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;

function inParts({ headers: { range = "" } }: IncomingMessage, response: ServerResponse): void {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range)!.map(Number);
  const part = bytes.subarray(start, end + 1);
  sent += part.length;
  response.writeHead(206, { "content-range": `bytes ${start}-${end}/${bytes.length}` }).end(part);
}

const server = createServer((request, response) => {
  asked.push(request.headers.range ?? "");
  answer(request, response);
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
afterAll(() => server.close());
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const open = (mostKept = config.blobs, size = bytes.length) =>
  RegionBlobs.open(run, new RangedFile(address, size, runFiles.parameters), mostKept);

/** Resolves when a condition is true. */
const happens = (isSo: () => boolean) => vi.waitUntil(isSo, 60_000);

beforeEach(() => {
  asked = [];
  sent = 0;
  answer = inParts;
});

describe("the blobs of a run in regions, on a web host", () => {
  it("have known bounds before any are fetched, from both ends of the file", async () => {
    const blobs = await open();
    assert.equal(asked.length, 2);
    assert.ok(sent < 20_000, `${sent} bytes`);
    for (const i of list.keys()) assert.ok(blobs.regionsIntersecting(within(i)).includes(i) && !blobs.has(i));
  });

  it("are fetched only for regions that intersect a box, each in one request and once", async () => {
    const blobs = await open();
    const box = within(0);
    const meeting = blobs.regionsIntersecting(box);
    assert.ok(meeting.length < list.length / 2, "a box intersects few regions of this run");
    [asked, sent] = [[], 0];
    assert.deepEqual(await blobs.intersecting(box), await whole.intersecting(box));
    assert.equal(asked.length, meeting.length);
    const own = meeting.reduce((sum, i) => sum + list[i].blobs, 0);
    const perBlob = bytes.length / config.blobs;
    assert.ok(sent > 0.9 * own * perBlob && sent < 1.1 * own * perBlob + 4000, `${sent} bytes for ${own} blobs`);
    await blobs.intersecting(box);
    assert.equal(asked.length, meeting.length, "cached regions are not requested again");
    const all = pixelBounds({ x: 0, y: 0, ...image });
    assert.deepEqual(await blobs.intersecting(all), await whole.intersecting(all));
    assert.equal(asked.length, list.length);
  });

  it("are evicted beyond the limit, least recently used first", async () => {
    const most = Math.max(...list.map(({ blobs }) => blobs)) * 2;
    const blobs = await open(most);
    for (const i of list.keys()) {
      const box = within(i);
      await blobs.intersecting(box);
      const here = list.filter((_, j) => blobs.has(j));
      const asked = blobs.regionsIntersecting(box);
      assert.ok(asked.every((j) => blobs.has(j)));
      const others = here.filter((region) => !asked.includes(list.indexOf(region)));
      const sum = here.reduce((all, region) => all + region.blobs, 0);
      assert.ok(others.length === 0 || sum <= most, `${sum} blobs are kept`);
    }
    assert.ok(!blobs.has(0));
    asked = [];
    await blobs.intersecting(within(0));
    assert.ok(asked.length > 0);
  });

  it("come in one request, and once, from a host without ranges", async () => {
    answer = (_, response) => response.end(bytes);
    const blobs = await open();
    const all = pixelBounds({ x: 0, y: 0, ...image });
    assert.deepEqual(await blobs.intersecting(all), await whole.intersecting(all));
    assert.equal(asked.length, 1);
  });

  it("are aborted if no request needs them, and fetched once if another does", async () => {
    const blobs = await open();
    const [one, other] = [list[0], list[2]].map((own) => pixelBounds({ ...own, width: own.width / 2, height: 1 }));
    const [left, right] = [one, other].map((box) => blobs.regionsIntersecting(box));
    const shared = left.filter((i) => right.includes(i)).length;
    assert.ok(shared > 0 && left.length > shared && right.length > shared, `${left} and ${right}`);
    asked = [];
    const held: (() => void)[] = [];
    let [lost, isHeld] = [0, true];
    answer = (request, response) => {
      response.on("close", () => {
        if (!response.writableEnded) lost++;
      });
      if (isHeld) held.push(() => inParts(request, response));
      else inParts(request, response);
    };
    const stop = new AbortController();
    const given = assert.rejects(blobs.load(one, stop.signal), { name: "AbortError" });
    const wanted = blobs.load(other);
    const all = left.length + right.length - shared;
    await happens(() => held.length === all);
    stop.abort();
    await happens(() => lost === left.length - shared);
    for (const answerIt of held) answerIt();
    await Promise.all([given, wanted]);
    assert.equal(asked.length, all, "a region that both request is fetched once");
    const here = Array.from(list.keys()).filter((i) => blobs.has(i));
    assert.deepEqual(here, right);
    isHeld = false;
    assert.deepEqual(
      await blobs.intersecting(one),
      await whole.intersecting(one),
      "an aborted region can be requested again",
    );
    assert.equal(lost, left.length - shared);
    await assert.rejects(blobs.load(one, stop.signal), { name: "AbortError" });
  });

  it("are rejected from a host without ranges if the file is too large, before the download", async () => {
    let isCutOff = false;
    answer = (_, response) => {
      response.on("close", () => {
        isCutOff = true;
      });
      response.writeHead(200).write(bytes);
    };
    const why = /: parameters\.arrow is too large for a host that does not support ranges\.$/;
    await assert.rejects(open(0, 2 ** 28 + 8), why);
    await happens(() => isCutOff);
  });

  it("are rejected if the fetch fails, or bytes or file differ", async () => {
    const refused = (why: RegExp) => (error: Error) => {
      assert.match(error.message, /^The run \S+ cannot be used: /);
      assert.match(error.message, why);
      return true;
    };
    const blobs = await open();
    answer = (_, response) => response.writeHead(503).end();
    await assert.rejects(blobs.intersecting(within(0)), refused(/parameters\.arrow cannot be fetched\.$/));
    answer = inParts;
    assert.deepEqual(
      await blobs.intersecting(within(0)),
      await whole.intersecting(within(0)),
      "it can be requested again",
    );
    answer = ({ headers: { range = "" } }, response) => {
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range)!.map(Number);
      const part = Buffer.from(bytes.subarray(start, end + 1));
      part[part.length >> 1] ^= 1;
      response.writeHead(206, { "content-range": `bytes ${start}-${end}/${bytes.length}` }).end(part);
    };
    const last = list.length - 1;
    await assert.rejects(
      blobs.intersecting(within(last)),
      refused(/ of parameters\.arrow is damaged: its SHA-256 is different\.$/),
    );
    answer = inParts;
    await assert.rejects(
      open(0, bytes.length + 8),
      refused(/parameters\.arrow has another size than its site reports\.$/),
    );
  });
});
