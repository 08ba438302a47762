import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { JSDOM } from "jsdom";
import { describe, it } from "vitest";
import { decodeSplat2d } from "../../src/engine/files/splat2d/splat2d.js";
import { decodeImage } from "../../src/host/node/imageFile.js";
import { smallImage, splatbookProcess, temporaryFolder } from "../cli/command.js";

const folder = temporaryFolder();
const run = join(folder, "run");
const read = (...path: string[]) => readFileSync(join(folder, ...path));
const description = () => JSON.parse(read("run", "run.json").toString("utf8"));

/** Runs a command in the folder of the run, and returns its output. */
async function splatbook(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await splatbookProcess(args, { cwd: folder });
  assert.equal(code, 0, stderr);
  return stdout;
}

describe("a run on the command line", () => {
  const fit = ["fit", "small.png", "--pipeline", "cpu", "--blobs", "12"];
  let stoppedAt: number;

  it("stops on Ctrl-C after a checkpoint, and keeps its steps", async () => {
    await smallImage(folder);
    const endless = ["--steps", "100000000", "--checkpoint", "0.01", "--json-lines", "--out", "run"];
    const { code, stderr } = await splatbookProcess([...fit, ...endless], {
      cwd: folder,
      watch: (_, child) => existsSync(join(run, "run.json")) && !child.killed && child.kill("SIGINT"),
    });
    assert.equal(code, 130, stderr);
    stoppedAt = description().step;
    assert.ok(stoppedAt > 0, stderr);
  });

  it("resumes at the step where it stopped, to the bits of a run without a stop", async () => {
    const to = ["--steps", String(stoppedAt + 20)];
    const [events] = await Promise.all([
      splatbook("fit", "--resume", "run", ...to, "--record-every", "1", "--json-lines"),
      splatbook(...fit, ...to, "--out", "straight"),
    ]);
    const [first] = events.split("\n", 1).map((line) => JSON.parse(line));
    assert.deepEqual([first.event, first.step], ["step", stoppedAt + 1]);
    for (const file of ["parameters.arrow", "optimizer.arrow", "gradients.arrow", "blobs.splat2d", "render.png"])
      assert.ok(read("run", file).equals(read("straight", file)), file);
  });

  it("is rendered at another size", async () => {
    await splatbook("render", "run", "--size", "48x32", "--out", "large.png");
    const { width, height } = await decodeImage(join(folder, "large.png"));
    assert.deepEqual([width, height], [48, 32]);
  });

  it("is exported as a .splat2d, which renders as the run", async () => {
    await splatbook("export", "run", "--out", "blobs.splat2d");
    const { config, size } = decodeSplat2d(read("blobs.splat2d"));
    assert.deepEqual([config.blobs, size], [12, { width: 24, height: 16 }]);
    await splatbook("render", "blobs.splat2d", "--out", "blobs.png");
    const [exported, trained] = await Promise.all([
      decodeImage(join(folder, "blobs.png")),
      decodeImage(join(run, "render.png")),
    ]);
    const furthest = Math.max(...exported.data.map((byte, i) => Math.abs(byte - trained.data[i])));
    assert.ok(furthest < 16, `a byte differs by ${furthest}`);
  });

  it("has gradients, which any Arrow reader reads", async () => {
    await splatbook("gradients", "run", "--out", "gradients.arrow");
    const table = tableFromIPC(read("gradients.arrow"));
    assert.equal(table.numRows, 12);
    assert.equal(table.get(0)?.step, stoppedAt + 21);
    const red: Float32Array = table.getChild("red")?.toArray();
    assert.ok(red.every(Number.isFinite) && red.some((value) => value !== 0), red.join());
  });

  it("is verified, until a byte of a file changes", async () => {
    assert.match(await splatbook("verify", "run"), /complete/);
    const bytes = read("run", "parameters.arrow");
    const damaged = Uint8Array.from(bytes);
    damaged[bytes.length >> 1] ^= 1;
    writeFileSync(join(run, "parameters.arrow"), damaged);
    const { code, stderr } = await splatbookProcess(["verify", "run"], { cwd: folder });
    assert.equal(code, 1);
    assert.match(stderr, /parameters\.arrow/);
    writeFileSync(join(run, "parameters.arrow"), bytes);
  });

  it("is reported in one file, with its names escaped", async () => {
    const name = "run &lt;1";
    cpSync(run, join(folder, name), { recursive: true });
    const hostile = `</script><script>throw 1</script>"><img src="x" onerror="throw 1">`;
    const described = description();
    described.image.name = hostile;
    writeFileSync(join(folder, name, "run.json"), JSON.stringify(described));
    await splatbook("report", name);
    const { document } = new JSDOM(
      read("report.html")
        .toString("utf8")
        .replace(/<style>.*?<\/style>/gs, ""),
    ).window;
    assert.deepEqual([document.title, document.querySelector("h1")?.textContent], [name, name]);
    assert.ok(document.querySelector("main")?.textContent?.includes(hostile));
    assert.equal(document.querySelectorAll("[onerror]").length, 0);
    const sources = [...document.querySelectorAll("[src], link")].map(
      (node) => node.getAttribute("src") ?? node.getAttribute("href"),
    );
    assert.deepEqual(
      sources.filter((source) => !source?.startsWith("data:")),
      [],
    );
    assert.ok(document.querySelector("main")?.textContent?.includes(`${described.result.psnr.toFixed(2)} dB`));
  });
});
