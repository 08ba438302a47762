import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type ServedView, serveView } from "../../src/cli/viewServer.js";
import type { LiveRun, RunChange } from "../../src/engine/files/liveRun.js";
import { type RunDescription, readRunDescription, writeRunDescription } from "../../src/engine/files/runDescription.js";
import { notesFile, runFiles } from "../../src/engine/files/runFiles.js";
import { headers } from "../../src/host/node/contentPolicy.js";
import { lockFile, lockFolder } from "../../src/runs/lock.js";
import { Staging } from "../../src/runs/staging.js";
import { refusalOf, smallImage, splatbook, splatbookProcess, temporaryFolder } from "./command.js";

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
  rmSync(join(out, notesFile), { force: true });
  writeFileSync(join(out, runFiles.description), writeRunDescription({ ...description, ...changed }));
  return out;
}

const site = join(folder, "site");
mkdirSync(join(site, "learn"), { recursive: true });

const unfinished = { config: { ...description.config, steps: 10_000 } };

describe("splatbook view", () => {
  let view: ServedView;
  let runs: () => Promise<Record<string, LiveRun>>;
  const changes: (RunChange & { at: number })[] = [];
  /** Returns the next change that passes a test, of those after a time, and the milliseconds until it came. */
  const changeAfter = async (start: number, test: (change: RunChange) => boolean) => {
    const deadline = performance.now() + 20_000;
    for (;;) {
      const found = changes.find((change) => change.at >= start && test(change));
      if (found) return found.at - start;
      if (performance.now() > deadline) throw new Error(`no such change: ${JSON.stringify(changes.slice(-3))}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const ask = (path: string, { method = "GET", ...sent }: Record<string, string> = {}, body?: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { port, host } = new URL(view.address);
      const asked = request({ host: "127.0.0.1", port, path, method, headers: { host, ...sent } });
      asked.on("response", resolve).on("error", reject);
      asked.end(body);
    });
  const fileOf = (run: string, file: string) => `/file?${new URLSearchParams({ run, file })}`;

  beforeAll(async () => {
    view = await serveView(root, "127.0.0.1", 0, site);
    runs = async () => {
      const all = (await json(await ask("/runs.json"))) as { runs: LiveRun[] };
      return Object.fromEntries(all.runs.map((run) => [run.path, run]));
    };
    const events = await ask("/events");
    assert.equal(events.headers["content-type"], "text/event-stream");
    events.setEncoding("utf8").on("data", (data: string) => {
      const at = performance.now();
      for (const [, line] of data.matchAll(/^data: (.*)$/gm)) changes.push({ ...JSON.parse(line), at });
    });
  });
  afterAll(() => view.close());

  it("distinguishes runs that train, were stopped, failed and finished, at any depth", async () => {
    const start = performance.now();
    writeRun("deep/er/stopped", unfinished);
    const ended = JSON.stringify({ process: process.pid, began: "0", host: hostname() });
    writeFileSync(join(writeRun("killed", unfinished), lockFile), ended);
    const alert = { kind: "diverged", step: 5, loss: description.result.loss, sentence: "Diverged." };
    writeRun("diverged", { ...unfinished, alerts: [alert] });
    writeRun("recovered", { alerts: [{ ...alert, loss: 100 * alert.loss }] });
    mkdirSync(join(root, "begins"));
    const release = await lockFolder(join(root, "begins"));
    const broken = writeRun("broken", {});
    writeFileSync(join(broken, runFiles.description), "{");
    for (const name of ["deep/er/stopped", "killed", "diverged", "recovered", "begins", "broken"]) {
      const within = await changeAfter(start, ({ path }) => path === name);
      // Without an event of the system, the folder is read after ten seconds.
      assert.ok(within < 5000, `${name} after ${within} ms`);
    }
    const found = await runs();
    const states = Object.entries(found).map(([path, { state }]) => [path, state]);
    assert.deepEqual(Object.fromEntries(states), {
      trained: "finished",
      "deep/er/stopped": "stopped",
      killed: "failed",
      diverged: "failed",
      recovered: "finished",
      begins: "running",
      broken: "stopped",
    });
    assert.equal(found.broken.error, "run.json is not JSON.");
    assert.equal(found.trained.description?.step, 6);
    assert.equal(found.begins.description, undefined);

    const end = performance.now();
    await release();
    rmSync(join(root, "deep"), { recursive: true });
    await changeAfter(end, (change) => change.path === "begins" && "removed" in change);
    await changeAfter(end, (change) => change.path === "deep/er/stopped" && "removed" in change);
  });

  it("reports a checkpoint and the end of its command within a second, and serves the files of the checkpoint", async () => {
    const out = writeRun("live", unfinished);
    await changeAfter(0, ({ path }) => path === "live");
    const release = await lockFolder(out);
    await changeAfter(0, (change) => change.path === "live" && "state" in change && change.state === "running");
    const times: number[] = [];
    for (const step of [7, 8, 9]) {
      const staging = new Staging(out);
      await staging.write(runFiles.render, `render ${step}`);
      await staging.write(runFiles.description, writeRunDescription({ ...description, ...unfinished, step }));
      const start = performance.now();
      await staging.commit();
      const within = await changeAfter(start, (change) => "description" in change && change.description?.step === step);
      times.push(within);
      assert.equal(await text(await ask(fileOf("live", runFiles.render))), `render ${step}`);
    }
    // Other processes may delay one of them.
    assert.ok(Math.min(...times) < 1000, `after ${times.join(", ")} ms`);
    const end = performance.now();
    await release();
    await changeAfter(end, (change) => "state" in change && change.state === "stopped");
    const part = await ask(fileOf("live", runFiles.render), { range: "bytes=2-99" });
    assert.deepEqual(
      [part.statusCode, part.headers["content-range"], await text(part)],
      [206, "bytes 2-7/8", "nder 9"],
    );
  });

  it("writes notes into the folder of a run, from its own page only", async () => {
    const notes = { name: "A run", group: "first", tags: ["good", "new"], notes: "Two\nlines" };
    const own = {
      method: "POST",
      origin: new URL(view.address).origin,
      "content-type": "application/json",
    };
    const post = async (sent: Record<string, string>, body = JSON.stringify(notes), run = "trained") => {
      const length = String(Buffer.byteLength(body));
      const path = `/notes?${new URLSearchParams({ run })}`;
      return (await ask(path, { ...sent, "content-length": length }, body)).statusCode;
    };
    const { origin, ...withoutOrigin } = own;
    assert.equal(await post(withoutOrigin), 403);
    assert.equal(await post({ ...own, origin: "http://evil.example" }), 403);
    assert.equal(await post({ ...own, origin: "null" }), 403);
    assert.equal(await post({ ...own, "content-type": "text/plain" }), 403);
    assert.equal(await post(own, JSON.stringify({ ...notes, tags: "good" })), 400);
    assert.equal(await post(own, JSON.stringify({ ...notes, notes: "x".repeat(100_000) })), 400);
    assert.equal(await post(own, "x".repeat(400_001)), 413);
    for (const run of ["..", "../runs/trained", "", "none"]) assert.equal(await post(own, undefined, run), 404, run);
    assert.throws(() => readFileSync(join(trained, notesFile)), /ENOENT/);

    const start = performance.now();
    assert.equal(await post(own), 204);
    await changeAfter(start, (change) => "notes" in change && change.notes.name === "A run");
    assert.deepEqual(JSON.parse(readFileSync(join(trained, notesFile), "utf8")), notes);
    assert.deepEqual((await runs()).trained.notes, notes);
    assert.equal((await splatbook(["verify", trained])).code, 0, "a run stays as it was");
  });

  it("serves only known files of known runs, with the policy of the site, and no other host", async () => {
    writeFileSync(join(folder, "secret.png"), "secret");
    writeFileSync(join(trained, "secret.png"), "secret");
    const status = async (path: string, sent?: Record<string, string>) => (await ask(path, sent)).statusCode;
    assert.equal(await status(fileOf("trained", runFiles.metrics)), 200);
    assert.equal(await status(fileOf("trained", "film/000004.png")), 200);
    for (const [run, file] of [
      ["trained", "secret.png"],
      ["trained", "../../secret.png"],
      ["trained", "film/../secret.png"],
      ["trained", "film/../../../secret.png"],
      ["..", "secret.png"],
      ["trained/..", runFiles.render],
      ["/", runFiles.render],
      ["", runFiles.render],
    ]) {
      assert.equal(await status(fileOf(run, file)), 404, `${run} ${file}`);
    }
    for (const path of ["/../secret.png", "/%2e%2e/secret.png", "//etc/passwd?", "/notes?run=trained"]) {
      assert.ok(
        [400, 404].includes((await status(path)) ?? 0) || (await text(await ask(path))).includes("live.js"),
        path,
      );
    }
    assert.equal(await status("/runs.json", { host: "evil.example" }), 403);
    assert.equal(await status("/runs.json", { origin: "http://evil.example" }), 403);
    const { headers: sent } = await ask("/");
    for (const [name, value] of Object.entries(headers)) {
      assert.ok(String(sent[name.toLowerCase()]).endsWith(value), name);
    }
    assert.match(sent["content-security-policy"] as string, /^default-src 'none'; script-src 'self'/);
  });

  it("serves the notebook once it has been built, with the policies of its pages", async () => {
    const notebookOf = async () => ((await json(await ask("/runs.json"))) as { notebook?: string }).notebook;
    assert.equal(await notebookOf(), undefined);
    writeFileSync(join(site, "index.html"), "the lab");
    writeFileSync(join(site, "learn", "tiles.html"), "a chapter");
    const address = await notebookOf();
    assert.equal(address, "notebook/");
    for (const [path, content] of [
      ["", "the lab"],
      ["?blobs=400", "the lab"],
      ["learn/tiles", "a chapter"],
      ["learn/tiles.html", "a chapter"],
    ]) {
      const answer = await ask(`/${address}${path}`);
      assert.equal(answer.headers["content-security-policy"], headers["Content-Security-Policy"]);
      assert.match(answer.headers["content-type"]!, /^text\/html/);
      assert.equal(await text(answer), content);
    }
    for (const path of ["none", "%2e%2e%2fsecret.png", "..%2fruns/trained/run.json"]) {
      assert.equal((await ask(`/${address}${path}`)).statusCode, 404, path);
    }
  });

  it("needs a folder and a free port", async () => {
    assert.deepEqual(await refusalOf(["view", join(folder, "none")]), {
      code: 1,
      sentence: `There is no folder ${join(folder, "none")}. Train a run first, or name another folder.`,
    });
    assert.deepEqual(await refusalOf(["view", root, "--port", "x"]), {
      code: 2,
      sentence: '--port must be a whole number between 0 and 65,535 (got "x").',
    });
    const { port } = new URL(view.address);
    assert.deepEqual(await refusalOf(["view", root, "--port", port]), {
      code: 1,
      sentence: `Port ${port} of 127.0.0.1 is already in use; choose another one with --port.`,
    });
  });

  it("is opened by fit --open, for the run's folder, until Ctrl-C", async () => {
    const out = join(folder, "opened");
    let seen: Promise<{ runs: LiveRun[] }> | undefined;
    /** Returns the runs once none trains: the view looks at them every second. */
    const ended = async (address: string): Promise<{ runs: LiveRun[] }> => {
      const all = await (await fetch(`${address}runs.json`)).json();
      if (all.runs.every(({ state }: LiveRun) => state !== "running")) return all;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return ended(address);
    };
    const { code, stdout, stderr } = await splatbookProcess(
      [...fit.slice(0, -1), "--steps", "6", "--json", "--open", "--out", out],
      {
        env: { DISPLAY: "", WAYLAND_DISPLAY: "" },
        watch(printed, child) {
          const [, address] = /^Live view of \S+: (http\S+)$/m.exec(printed) ?? [];
          if (seen || !address || !printed.includes("The live view stays open.")) return;
          seen = ended(address);
          void seen.finally(() => child.kill("SIGINT"));
        },
      },
    );
    assert.equal(code, 0, stderr);
    const [run] = (await seen)!.runs;
    assert.deepEqual([run.path, run.state], [".", "finished"]);
    assert.equal(JSON.parse(stdout).step, 6);
  });
});
