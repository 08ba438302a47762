import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { JSDOM } from "jsdom";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { serveView } from "../../../src/cli/viewServer.js";
import {
  type RunDescription,
  readRunDescription,
  writeRunDescription,
} from "../../../src/engine/files/runDescription.js";
import { runFiles } from "../../../src/engine/files/runFiles.js";
import { headers } from "../../../src/host/node/contentPolicy.js";
import { lockFolder, lockName } from "../../../src/runs/lock.js";
import { Staging } from "../../../src/runs/staging.js";
import { refusalOf, smallImage, splatbook, temporaryFolder } from "../../cli/command.js";

const folder = temporaryFolder();
const root = join(folder, "runs");
const trained = join(root, "trained");
const image = await smallImage(folder);
const fit = ["fit", image, "--pipeline", "cpu", "--blobs", "12", "--quiet"];
await splatbook([...fit, "--steps", "6", "--out", trained]);
const description = readRunDescription(readFileSync(join(trained, runFiles.description), "utf8"));

/** Writes a run that differs from the trained one in its description. */
function writeRun(name: string, changed: Partial<RunDescription>): string {
  const out = join(root, name);
  cpSync(trained, out, { recursive: true });
  writeFileSync(join(out, runFiles.description), writeRunDescription({ ...description, ...changed }));
  return out;
}

const unfinished = { config: { ...description.config, steps: 10_000 } };

/** Removes what takes long to parse. */
const withoutStyle = (html: string) => html.replace(/<style>.*?<\/style>/gs, "");

describe("splatbook view", () => {
  let view: Server;
  const port = () => (view.address() as AddressInfo).port;
  const ask = (path: string, sent: Record<string, string> = {}, method = "GET") =>
    new Promise<IncomingMessage>((resolve, reject) => {
      // A connection that is kept can be closed by the server just as it is used again.
      const asked = request({ host: "127.0.0.1", port: port(), path, method, headers: sent, agent: false });
      asked.on("response", resolve).on("error", reject);
      asked.end();
    });
  const reportOf = (run: string) => `/?${new URLSearchParams({ run })}`;
  const renderOf = (run: string) => `/render?${new URLSearchParams({ run })}`;
  const stamp = async (path: string) => (await ask(path, {}, "HEAD")).headers.etag;
  const documentAt = async (path: string) => new JSDOM(withoutStyle(await text(await ask(path)))).window.document;
  const textsOf = (element: ParentNode, selector: string) =>
    Array.from(element.querySelectorAll(selector), ({ textContent }) => textContent!.trim());
  /** Returns the texts of the table's cells by run. */
  const table = async () => {
    const page = await documentAt("/");
    const heads = textsOf(page, "#runs thead th");
    const rows = Array.from(page.querySelectorAll("#runs tbody tr"), (row) => textsOf(row, "th, td"));
    return Object.fromEntries(
      rows.map((cells) => [cells[0], Object.fromEntries(heads.map((head, i) => [head, cells[i]]))]),
    );
  };

  beforeAll(async () => {
    view = await serveView(root, "127.0.0.1", 0);
  });
  afterAll(() => view.close());

  it("distinguishes runs that train, were stopped, failed and finished, at any depth", async () => {
    writeRun("deep/er/stopped", unfinished);
    const killed = join(writeRun("killed", unfinished), lockName);
    mkdirSync(killed);
    writeFileSync(join(killed, `${process.pid}_0_${encodeURIComponent(hostname())}`), "");
    const alert = { kind: "diverged", step: 5, loss: description.result.loss, sentence: "Diverged." };
    writeRun("diverged", { ...unfinished, alerts: [alert] });
    writeRun("recovered", { alerts: [{ ...alert, loss: 100 * alert.loss }] });
    mkdirSync(join(root, "begins"));
    const release = await lockFolder(join(root, "begins"));
    const broken = writeRun("broken", {});
    writeFileSync(join(broken, runFiles.description), "{");
    const before = await stamp("/");
    const found = await table();
    const states = Object.entries(found).map(([path, { state }]) => [path, state]);
    assert.deepEqual(Object.fromEntries(states), {
      trained: "finished",
      "deep/er/stopped": "stopped",
      killed: "ended without saving",
      diverged: "diverged",
      recovered: "finished",
      begins: "training",
      broken: "stoppedrun.json is not JSON.",
    });
    const { trained: row, begins } = found;
    assert.deepEqual([row.image, row.blobs, row.step], ["small.png", "12", "6"]);
    assert.equal(row.PSNR, `${description.result.psnr.toFixed(2)} dB`);
    assert.equal(begins.step, "");
    await release();
    rmSync(join(root, "deep"), { recursive: true });
    assert.notEqual(await stamp("/"), before);
    const left = Object.keys(await table());
    assert.ok(!left.includes("begins") && !left.includes("deep/er/stopped"), `${left}`);
  });

  it("shows the settings in which runs differ, unless they are those of their presets", async () => {
    const rates = { config: { ...unfinished.config, learningRate: 0.01 } };
    writeRun("rate", rates);
    const { rate, trained: row } = await table();
    assert.deepEqual(Object.keys(rate), [
      "run",
      "",
      "state",
      "step",
      "PSNR",
      "image",
      "blobs",
      "steps",
      "learningRate",
    ]);
    assert.deepEqual([rate.learningRate, rate.steps, row.steps], ["0.01", "10,000", "6"]);
  });

  it("has another stamp after each checkpoint, and shows its render and report", async () => {
    const out = writeRun("live", unfinished);
    const release = await lockFolder(out);
    let before = await stamp(reportOf("live"));
    for (const step of [7, 8]) {
      const staging = new Staging(out);
      await staging.write(runFiles.render, `render ${step}`);
      await staging.write(runFiles.description, writeRunDescription({ ...description, ...unfinished, step }));
      await staging.commit();
      await vi.waitUntil(async () => (await table()).live.step === String(step), { timeout: 300_000 });
      const now = await stamp(reportOf("live"));
      assert.notEqual(now, before);
      before = now;
      const address = (await documentAt("/")).querySelector('img[src*="live"]')!.getAttribute("src")!;
      assert.equal(await text(await ask(`/${address}`)), `render ${step}`);
    }
    await release();
    assert.equal((await table()).live.state, "stopped");
    const link = (await documentAt("/")).querySelector("#runs a[href*=trained]")!;
    const report = await documentAt(`/${link.getAttribute("href")}`);
    assert.deepEqual(textsOf(report, "h1"), ["trained"]);
    assert.ok(
      textsOf(report, ".report-summary")[0].startsWith(`${description.result.psnr.toFixed(2)} dB with 12 blobs on `),
    );
    assert.deepEqual(textsOf(report, "#view-head a:not([hidden])"), ["All runs"]);
    assert.equal(report.querySelector<HTMLElement>("#view-head")!.dataset.stamp, await stamp(reportOf("trained")));
  });

  it("has no report of a run in regions, or before the first checkpoint, and says why", async () => {
    const regions = { side: 64, list: [], windows: 0, done: 0 };
    const out = writeRun("parts", { regions });
    assert.equal((await documentAt("/")).querySelector("#runs a[href*=parts]"), null);
    const sentenceOf = async (run: string) => textsOf(await documentAt(reportOf(run)), "main p")[0];
    assert.equal(
      await sentenceOf("parts"),
      `The run ${out} cannot be used: it was fitted in regions, which have no report; splatbook render ${out} shows its image.`,
    );
    mkdirSync(join(root, "new"));
    const release = await lockFolder(join(root, "new"));
    assert.equal(await sentenceOf("new"), "The run has no checkpoint yet.");
    await release();
    assert.equal(await sentenceOf("none"), "There is no such run in this folder.");
  });

  it("escapes the names of folders and images", async () => {
    const hostile = "<img src=x onerror=alert(1)>";
    writeRun(hostile, { image: { ...description.image, name: hostile } });
    const page = await documentAt("/");
    assert.equal((await table())[hostile].image, hostile);
    assert.equal(page.querySelector("[onerror]"), null);
    const link = Array.from(page.querySelectorAll("#runs a")).find(({ textContent }) => textContent === hostile)!;
    const report = await documentAt(`/${link.getAttribute("href")}`);
    assert.deepEqual(textsOf(report, "h1"), [hostile]);
    assert.equal(report.title, hostile);
    const other = await documentAt(reportOf(`"><img src=x onerror=alert(1)>`));
    for (const shown of [report, other]) assert.equal(shown.querySelector("[onerror]"), null);
  });

  it("serves only pages and renders of listed runs, with a policy, and no other host", async () => {
    writeFileSync(join(folder, "secret.png"), "secret");
    writeFileSync(join(folder, runFiles.render), "secret");
    const status = async (path: string, sent?: Record<string, string>) => (await ask(path, sent)).statusCode;
    assert.equal(await status(renderOf("trained")), 200);
    for (const run of ["..", "trained/..", "../runs/trained", "/", ""])
      assert.equal(await status(renderOf(run)), 404, run);
    for (const path of ["/../secret.png", "/%2e%2e/secret.png", "/trained/run.json", "/notes?run=trained"])
      assert.equal(await status(path), 404, path);
    assert.equal(await status("/", { host: "evil.example" }), 403);
    assert.equal(await status("/", { origin: "http://evil.example" }), 403);
    for (const path of ["/", reportOf("trained")]) {
      const { headers: sent } = await ask(path);
      for (const [name, value] of Object.entries(headers)) assert.equal(sent[name.toLowerCase()], value);
      const policy = (await documentAt(path)).querySelector("meta[http-equiv=Content-Security-Policy]")!;
      assert.match(policy.getAttribute("content")!, /^default-src 'none'; script-src ('sha256-[^']+' ?)+;/);
    }
  });

  it("needs a folder and a free port", async () => {
    assert.deepEqual(await refusalOf(["view", join(folder, "none")]), {
      code: 1,
      sentence: `There is no folder ${join(folder, "none")}. Train a run first, or name another folder.`,
    });
    const { code, sentence } = await refusalOf(["view", root, "--port", String(port())]);
    assert.equal(code, 1);
    assert.match(sentence, new RegExp(`^Port ${port()} of 127\\.0\\.0\\.1 cannot be used: .* address already in use`));
  });
});
