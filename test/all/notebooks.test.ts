// Executes data/notebooks/ in Deno's kernel, if Python has nbclient (in Debian: python3-nbclient).
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { tableFromIPC } from "apache-arrow";
import { describe, it } from "vitest";
import { projectRoot } from "../../src/host/node/install.js";
import { writeLibrary } from "../../src/site/packLibrary.js";
import { deno } from "../support/deno.js";
import { softwareAdapterEnvironment } from "../support/softwareAdapter.js";

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
const missing = !deno() ? "there is no Deno" : python ? "" : "Python has no nbclient";
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

/** Executes a notebook in data/notebooks/ of a checkout. */
async function execute(name: string, notebook: string): Promise<Cell[]> {
  const folder = join(checkout, "data", "notebooks");
  await rm(checkout, { recursive: true, force: true });
  await mkdir(join(checkout, "kernels", "deno"), { recursive: true });
  await mkdir(folder, { recursive: true });
  await symlink(join(projectRoot, "data", "images"), join(checkout, "data", "images"), "junction");
  await writeLibrary(join(checkout, "splatbook.js"));
  const manifest = { name: "splatbook", type: "module", exports: "./splatbook.js" };
  await writeFile(join(checkout, "package.json"), JSON.stringify(manifest));
  const kernel = { argv: [deno(), "jupyter", "--kernel", "--conn", "{connection_file}"], display_name: "Deno" };
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
      const cells = await execute(name, text);
      assert.deepEqual(outputKinds(cells), outputKinds(await read(join(source, name))));
      const texts = cells.flatMap(({ outputs = [] }) => outputs.flatMap(({ text = [] }) => text));
      const [, decibels, steps] = /([\d.]+) dB after (\d+) steps/.exec(texts.join(""))!.map(Number);
      assert.ok(decibels > 20, `${decibels} dB`);
      assert.equal(steps, 60);
      const table = tableFromIPC(await readFile(join(checkout, "data", "notebooks", "parameters.arrow")));
      assert.ok(texts.join("").includes(`${table.numRows} rows: ${table.schema.fields[0].name}, `));
    });
  }
});
