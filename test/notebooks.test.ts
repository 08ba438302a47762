// Executes data/notebooks/ and a downloaded page in Deno's kernel, if Python has nbclient (in Debian: python3-nbclient).
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { tableFromArrays, tableFromIPC } from "apache-arrow";
import { describe, it } from "vitest";
import { editedCells, writeJupyter } from "../src/components/cells/pageFormats.js";
import { cellsOf } from "../src/components/cells/pageSource.js";
import { chartOf } from "../src/components/cells/values.js";
import { completeConfig } from "../src/engine/config.js";
import { projectRoot } from "../src/host/node/install.js";
import { writeLibrary, writePageModules } from "../src/site/packLibrary.js";
import { deno } from "./support/deno.js";
import { softwareAdapterEnvironment } from "./support/softwareAdapter.js";

interface Cell {
  cell_type: string;
  outputs?: { output_type: string; text?: string[]; data?: Record<string, unknown> }[];
}

const source = join(projectRoot, "data", "notebooks");
/** A checkout with the modules of the package, in the project so that cells find other packages. */
const checkout = join(projectRoot, ".dev", "notebooks");
const notebooks = (await readdir(source)).filter((name) => name.endsWith(".ipynb"));

// Debian's Python may not be the first in PATH.
const pythons = ["python3", "/usr/bin/python3"];
const python = pythons.find((path) => spawnSync(path, ["-c", "import nbclient"]).status === 0);
const missing = !deno ? "there is no Deno" : python ? "" : "Python has no nbclient";
if (missing) console.warn(`The notebooks are not executed: ${missing}.`);

/**
 * Executes a notebook, and writes it with its outputs. Deno's kernel sends outputs and the end of their cell from two
 * queues, so on a busy machine an output may come after the end, where nbclient and Jupyter drop it.
 */
const client = `
import queue, sys, nbclient, nbformat
from nbclient.util import ensure_async

class Client(nbclient.NotebookClient):
    async def _async_poll_output_msg(self, request, cell, index):
        await super()._async_poll_output_msg(request, cell, index)
        try:
            while True:
                message = await ensure_async(self.kc.iopub_channel.get_msg(timeout=2))
                if message["parent_header"].get("msg_id") == request:
                    self.process_message(message, cell, index)
        except queue.Empty:
            pass

notebook = nbformat.read(sys.argv[1], 4)
Client(notebook, timeout=240, iopub_timeout=240, kernel_name="deno", record_timing=False).execute()
nbformat.write(notebook, sys.argv[1])`;

async function read(file: string): Promise<Cell[]> {
  return JSON.parse(await readFile(file, "utf8")).cells;
}

/** Returns the kind of each output of each cell: the MIME types of values, and the streams. */
const outputKinds = (cells: Cell[]) =>
  cells.map(({ outputs }) => outputs?.map(({ output_type, data }) => (data ? Object.keys(data) : output_type)));

/** Returns a notebook with fewer steps, since the software adapter takes minutes for all of them. */
const shorter = (text: string) => text.replace("steps: 300", "steps: 60");

/**
 * Executes a notebook in data/notebooks/ of a checkout.
 * @param entry the module of the package, which `write` writes
 */
async function execute(name: string, notebook: string, entry: string, write: () => Promise<unknown>): Promise<Cell[]> {
  const folder = join(checkout, "data", "notebooks");
  await rm(checkout, { recursive: true, force: true });
  await mkdir(join(checkout, "kernels", "deno"), { recursive: true });
  await mkdir(folder, { recursive: true });
  await symlink(join(projectRoot, "data", "images"), join(checkout, "data", "images"), "junction");
  await write();
  const manifest = { name: "splatbook", type: "module", exports: entry };
  await writeFile(join(checkout, "package.json"), JSON.stringify(manifest));
  const kernel = { argv: [deno, "jupyter", "--kernel", "--conn", "{connection_file}"], display_name: "Deno" };
  await writeFile(join(checkout, "kernels", "deno", "kernel.json"), JSON.stringify(kernel));
  await writeFile(join(folder, name), notebook);
  const env = {
    ...process.env,
    ...softwareAdapterEnvironment(),
    JUPYTER_PATH: checkout,
    JUPYTER_RUNTIME_DIR: join(checkout, "runtime"),
    DENO_DIR: join(projectRoot, ".dev", "deno"),
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
  };
  await promisify(execFile)(python!, ["-c", client, name], { cwd: folder, env });
  return read(join(folder, name));
}

describe("the notebooks", () => {
  for (const name of notebooks) {
    it.skipIf(missing)(`${name} trains, shows images and charts, and writes Arrow`, async () => {
      const text = shorter(await readFile(join(source, name), "utf8"));
      const cells = await execute(name, text, "./splatbook.js", () => writeLibrary(join(checkout, "splatbook.js")));
      assert.deepEqual(outputKinds(cells), outputKinds(await read(join(source, name))));
      const texts = cells.flatMap(({ outputs = [] }) => outputs.flatMap(({ text = [] }) => text));
      const [, decibels, steps] = /([\d.]+) dB after (\d+) steps/.exec(texts.join(""))!.map(Number);
      assert.ok(decibels > 20, `${decibels} dB`);
      assert.equal(steps, 60);
      const table = tableFromIPC(await readFile(join(checkout, "data", "notebooks", "parameters.arrow")));
      assert.ok(texts.join("").includes(`${table.numRows} rows: ${table.schema.fields[0].name}, `));
    });
  }

  it.skipIf(missing)("of the lab trains with the page's settings, and runs the reader's cells", async () => {
    const markdown = await readFile(join(projectRoot, "src", "index.md"), "utf8");
    const ids = cellsOf(markdown).map((_, i) => `cell-${i}`);
    const parameters = tableFromArrays({ center_x_decoded: [0] });
    const sources = [
      chartOf(new Map([["parameters", parameters]])),
      'Plot.lineY(metrics, {x: "step", y: "psnr"}).plot({color: {legend: true, domain: ["a"]}})',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a cell with a template
      "const rows: number = gradients.numRows;\ndisplay(`${rows} rows, ${run.config.steps} steps`);",
      "view(Inputs.range([0, 1]))",
    ];
    const added = sources.map((source, i) => ({ id: `added-${i}`, after: ids[9], language: "ts" as const, source }));
    const cells = editedCells(markdown, ids, { edits: {}, added });
    const config = completeConfig({ preset: "quality", blobs: 100, steps: 60, learningRate: 0.02 });
    const image = { width: 96, height: 96, data: new Uint8ClampedArray() };
    const target = { image, original: image, name: "astronaut" };
    const file = "../images/astronaut.png";
    const text = writeJupyter({ title: "Lab", cells }, { config, target, file });
    const write = () => writePageModules(join(checkout, "modules"));
    const executed = await execute("lab.ipynb", text, "./modules/splatbook.js", write);
    const code = executed.filter(({ cell_type }) => cell_type === "code");
    assert.deepEqual(outputKinds(code), [
      ["stream", ["image/png"]],
      [["image/svg+xml"]],
      [["text/html"]],
      [["text/plain"]],
    ]);
    assert.match(code[0].outputs!.flatMap(({ text = [] }) => text).join(""), /^[12]\d\.\d dB after 60 steps\n$/);
    assert.match([code[1].outputs![0].data!["image/svg+xml"]].flat().join(""), /<circle/);
    assert.equal([code[3].outputs![0].data!["text/plain"]].flat().join(""), '"100 rows, 60 steps"');
  });
});
