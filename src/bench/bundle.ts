// `npm run bench:bundle [-- [--into FOLDER] IMAGE...]`: writes .dev/bench/, which runs the benchmarks on a host with Node
// and a GPU but no packages: `node bench.mjs --json`, `node bench.mjs --quality --out quality.arrow`,
// `node bench.mjs realtime --json realtime.json`, `node bench.mjs recorded`, or all of them with
// `node bench.mjs record --into FOLDER`. The folder contains the kernels, the images and this platform's Dawn.
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, type Plugin } from "esbuild";
import { gitCommit } from "../host/node/checkout.js";
import { decodeImage } from "../host/node/imageFile.js";
import { ensurePackages, projectRoot } from "../host/node/install.js";
import { versions } from "../host/node/project.js";
import type { Manifest } from "./bareSite.js";

const { values, positionals } = parseArgs({ options: { into: { type: "string" } }, allowPositionals: true });
const folder = values.into ?? join(projectRoot, ".dev", "bench");
const imagePaths = positionals.length > 0 ? positionals : [join(projectRoot, "data", "images", "astronaut.png")];

/** Loads Dawn from the folder of the bundle instead of the package `webgpu`. */
const bundledDawn: Plugin = {
  name: "bundled Dawn",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^webgpu$/ }, () => ({ path: "webgpu", namespace: "dawn" }));
    onLoad({ filter: /.*/, namespace: "dawn" }, () => ({
      contents: `
        import { createRequire } from "node:module";
        export const { create, globals } = createRequire(import.meta.url)("./dawn.node");`,
    }));
  },
};

// A folder given with --into may contain other files.
if (values.into === undefined) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });

await build({
  entryPoints: [
    { in: fileURLToPath(new URL("./bare.ts", import.meta.url)), out: "bench" },
    { in: fileURLToPath(new URL("../host/node/taskThread.ts", import.meta.url)), out: "taskWorker" },
  ],
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // commander is CommonJS and requires Node's modules.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
  plugins: [bundledDawn],
  logLevel: "warning",
});

await cp(join(projectRoot, "shaders"), join(folder, "shaders"), { recursive: true });
const dawnPlatform = `${process.platform}-${process.platform === "darwin" ? "universal" : process.arch}`;
ensurePackages(["webgpu"]);
const webgpu = dirname(createRequire(import.meta.url).resolve("webgpu"));
await cp(join(webgpu, "dist", dawnPlatform, "dawn.node"), join(folder, "dawn.node"));

const images: Manifest["images"] = [];
for (const [index, imagePath] of imagePaths.entries()) {
  const { width, height, data } = await decodeImage(imagePath);
  const file = `image${index}.rgba`;
  await writeFile(join(folder, file), data);
  images.push({ name: basename(imagePath), width, height, file });
}
const manifest: Manifest = { versions: versions(), commit: gitCommit(), images };
await writeFile(join(folder, "bench.json"), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`Wrote the benchmarks of ${images.map(({ name }) => name).join(", ")} to ${values.into ?? ".dev/bench"}.`);
