import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { connect } from "../../../src/farm/redis.js";
import { startWorkers } from "../../../src/farm/workers.js";
import { StagedImage } from "../../../src/host/node/stagedImage.js";
import { RegionsRun } from "../../../src/runs/regions/regionsRun.js";
import { refusalOf, splatbook, temporaryFolder } from "../../cli/command.js";
import { hasRedis, startRedis } from "../../support/redis.js";

const folder = temporaryFolder();
const imagePath = join(folder, "large.png");
await sharp("data/images/chelsea.png").resize(130, 130, { fit: "cover" }).png().toFile(imagePath);
const asked = ["--preset", "quality", "--pipeline", "cpu", "--blobs", "80", "--steps", "4", "--region-size", "65"];

/** Returns the names of all files in a folder. */
function filesOf(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}

describe("splatbook fit --regions --workers", () => {
  it("trains regions and windows on workers to the bits of one process, even if it is stopped", async () => {
    const [alone, out] = [join(folder, "alone"), join(folder, "out")];
    await splatbook(["fit", imagePath, ...asked, "--out", alone]);
    const watching = setInterval(() => {
      if (!existsSync(join(out, "regions", "00001.f32"))) return;
      clearInterval(watching);
      process.emit("SIGINT");
    }, 1);
    const first = await splatbook(["fit", imagePath, ...asked, "--out", out, "--workers", "1"]);
    clearInterval(watching);
    assert.equal(first.code, 130, first.stderr);
    assert.match(
      first.stderr,
      /Stopped with \d of 8 regions and seams done\. Resume with: splatbook fit IMAGE --resume /,
    );
    const rest = await splatbook(["fit", imagePath, "--resume", out, "--workers", "2"]);
    assert.equal(rest.code, 0, rest.stderr);
    assert.doesNotMatch(rest.stderr, /^step /m, "this process trains nothing itself");
    assert.deepEqual(readdirSync(out).sort(), readdirSync(alone).sort());
    for (const name of ["parameters.arrow", "blobs.splat2d", "render.png"]) {
      const [one, other] = [out, alone].map((path) => readFileSync(join(path, name)));
      assert.ok(one.equals(other), `${name} has the same bits`);
    }
    const descriptionOf = (path: string) => JSON.parse(readFileSync(join(path, "run.json"), "utf8"));
    assert.deepEqual(descriptionOf(out).regions, descriptionOf(alone).regions);
    assert.ok(descriptionOf(out).timings.seconds > 0);
  });
});

describe.skipIf(!hasRedis)("splatbook fit --regions --redis, in a folder that commands share with a worker,", () => {
  const shared = join(folder, "shared");
  const other = join(shared, "another", ".splatbook-farm", "inputs");
  let address: string;
  let end: () => Promise<void>;
  const where = () => ["--redis", address, "--runs", shared];

  beforeAll(async () => {
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, "another"), "");
    const started = await startRedis(join(folder, "redis"));
    address = started.address;
    const redis = await connect(address);
    const stop = startWorkers(redis, { runs: shared, count: 1 });
    end = async () => {
      await stop();
      redis.disconnect();
      started.server.kill("SIGKILL");
    };
  });
  afterAll(() => end());

  it("removes its own files, and no others, even if it is killed right after a result was added, and resumed", async () => {
    const out = join(shared, "killed");
    const { addResult: take } = RegionsRun.prototype;
    let takes = 0;
    const spy = vi.spyOn(RegionsRun.prototype, "addResult").mockImplementation(async function (
      this: RegionsRun,
      ...taken
    ) {
      await take.apply(this, taken);
      // After a region, and after the first window.
      if ([1, 5].includes(++takes)) throw new Error("killed");
    });
    const args = ["fit", imagePath, ...asked, "--out", out, ...where()];
    const resume = ["fit", imagePath, "--resume", out, ...where()];
    for (const each of [args, resume]) assert.match((await splatbook(each)).stderr, /killed/);
    const { code, stderr } = await splatbook(resume);
    spy.mockRestore();
    assert.equal(code, 0, stderr);
    assert.deepEqual(filesOf(join(shared, "another")), ["another"]);
    assert.ok(!existsSync(join(out, ".splatbook-farm")));
  });
});

describe("splatbook fit --workers", () => {
  it("fails before the image is read if no Redis answers, or --out is not in --runs", async () => {
    const read = vi.spyOn(StagedImage, "open");
    const redis = ["--redis", "redis://127.0.0.1:1"];
    const out = join(folder, "refused");
    const noRedis = await refusalOf(["fit", imagePath, ...asked, "--out", out, ...redis]);
    assert.match(noRedis.sentence, /^No Redis answers at redis:\/\/127\.0\.0\.1:1: /);
    const runs = join(folder, "runs");
    const outside = await refusalOf(["fit", imagePath, ...asked, "--out", out, ...redis, "--runs", runs]);
    assert.match(outside.sentence, /^--out must be a folder inside --runs /);
    assert.equal(read.mock.calls.length, 0);
    assert.ok(!existsSync(out));
    read.mockRestore();
  });
});
