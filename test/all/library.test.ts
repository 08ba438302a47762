// Runs the examples of the library's page in Node and in Deno.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { tableFromIPC } from "apache-arrow";
import sharp from "sharp";
import { beforeAll, describe, it } from "vitest";
import { projectRoot } from "../../src/host/node/install.js";
import { writeLibrary } from "../../src/site/packLibrary.js";
import { libraryReference, referenceFile } from "../libraryReference.js";
import { deno } from "../support/deno.js";
import { libraryExamples } from "../support/libraryExamples.js";
import { testImage } from "../support/scenes.js";

/** In the project, so that examples find its packages. */
const folder = join(projectRoot, ".dev", "library");

/** The others run in test/all/components/training/customStages.gpu.test.ts. */
const examples = libraryExamples.filter(({ needsGpu }) => !needsGpu);

const env = { ...process.env, DENO_DIR: join(projectRoot, ".dev", "deno"), DENO_NO_UPDATE_CHECK: "1" };
const denoArgs = ["run", "--no-remote", "--no-lock", "--node-modules-dir=manual", "--allow-all"];

const { width, height, data } = testImage(24, 16);

/** Defines what the examples use, with a decoder instead of the browser's, and prints what each of them logs. */
const main = `
  import { openEngine } from "./splatbook.js";
  const pixels = { width: ${width}, height: ${height}, data: Uint8ClampedArray.from([${data}]) };
  const decoded = { image: pixels, original: pixels };
  const engine = await openEngine("cpu");
  Object.assign(globalThis, { engine, image: { ...decoded, name: "mine" }, file: new Blob(), decodeImage: () => decoded });
  const { log } = console;
  const logs = [];
  console.log = (...values) => logs.at(-1).push(values);
  for (let i = 0; i < ${examples.length}; i++) {
    logs.push([]);
    await import(\`./example\${i}.js\`);
  }
  log(JSON.stringify(logs));`;

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  await writeLibrary(join(folder, "splatbook.js"));
  await sharp(data, { raw: { width, height, channels: 4 } }).toFile(join(folder, "photo.jpg"));
  await writeFile(join(folder, "main.js"), main);
  for (const [i, { code }] of examples.entries()) {
    const text = code
      .replace('"splatbook"', '"./splatbook.js"')
      .replace("import {decodeImage, ", "import {")
      .replace("openEngine()", 'openEngine("cpu")')
      .replace("blobs: 2000, steps: 500", "blobs: 200, steps: 50");
    await writeFile(join(folder, `example${i}.js`), text);
  }
});

describe("the examples of the library", () => {
  /** Returns the values that each example logs, by its heading. */
  async function run(program: string, args: string[]): Promise<Record<string, number[][]>> {
    const { stdout } = await promisify(execFile)(program, [...args, "main.js"], { cwd: folder, env });
    const logs: number[][][] = JSON.parse(stdout);
    return Object.fromEntries(examples.map(({ heading }, i) => [heading, logs[i]]));
  }

  for (const [name, program, args] of [
    ["Node", process.execPath, []],
    ["Deno", deno(), denoArgs],
  ] as const) {
    it.skipIf(!program)(`train in ${name}, and log the values that the page describes`, async () => {
      const logs = await run(program!, [...args]);
      const steps = Array.from({ length: 50 }, (_, i) => i + 1);
      assert.deepEqual([logs["Training an image"][0][0], logs["Training an image"][0][2]], [50, 200]);
      assert.match(String(logs["End of a run"]), /^[\d.]+ dB after \d+ steps$/);
      assert.deepEqual(
        logs["Values of every step"].map(([step]) => step),
        steps,
      );
      assert.ok(logs["Values of every step"].flat().every(Number.isFinite));
      assert.deepEqual(logs["A hook after each step"], [[50, true]]);
      assert.deepEqual(
        logs["Custom training loop"].map(([step, , ...lengths]) => [step, ...lengths]),
        steps.map((step) => [step, 1800, 1800]),
      );
      assert.equal(logs["Node and Deno"][0][0], 50);
      assert.deepEqual(
        Object.values(logs).filter((lines) => lines.length === 0),
        [],
      );
    });
  }
});

it.skipIf(!deno())("the cells of the notebook train, show images and charts, and write Arrow", async () => {
  const { cells } = JSON.parse(readFileSync("data/notebooks/train.ipynb", "utf8"));
  const code = cells.filter((cell: { cell_type: string }) => cell.cell_type === "code");
  const kernel = `const shown = new Set<string>();
    const jupyter = { display: (data: object) => Object.keys(data).forEach((type) => shown.add(type)) };\n`;
  const text = code
    .map(({ source }: { source: string[] }) => source.join(""))
    .join("\n;\n")
    .replaceAll("Deno.jupyter", "jupyter")
    .replaceAll("../images", join(projectRoot, "data", "images"))
    .replace('"splatbook"', '"./splatbook.js"')
    .replace("openEngine()", 'openEngine("cpu")')
    .replace("steps: 300", "steps: 60");
  await writeFile(join(folder, "notebook.ts"), `${kernel}${text}\nconsole.log([...shown].sort().join());`);
  const { stdout } = await promisify(execFile)(deno()!, [...denoArgs, "notebook.ts"], { cwd: folder, env });
  const [, decibels, rows, types] = /([\d.]+) dB after 60 steps\n(\d+) rows: .*\n(.*)/.exec(stdout)!;
  assert.ok(Number(decibels) > 20, stdout);
  assert.equal(types, "image/png,image/svg+xml,text/plain");
  assert.equal(tableFromIPC(readFileSync(join(folder, "parameters.arrow"))).numRows, Number(rows));
});

it.skipIf(!deno())("the page of the library has the docstrings of the sources; else npm run reference", () => {
  assert.equal(readFileSync(referenceFile, "utf8"), libraryReference());
});
