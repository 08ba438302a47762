// `npm run bench:bundle [-- [--into FOLDER] PICTURE...]`: writes .dev/bench/, a folder that runs the benchmark on a host
// that has Node and a GPU but no packages: `node bench.mjs --json`, `node bench.mjs --quality --out quality.arrow`,
// `node realtime.mjs --json realtime.json`, `node recorded.mjs`, or all of them by `node record.mjs --into FOLDER`. It holds the kernels, the pictures and this platform's Dawn.
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, type Plugin } from "esbuild";
import { decodeImage } from "../host/node/imageFile.js";
import { projectRoot } from "../host/node/install.js";
import { gitCommit, versions } from "../host/node/project.js";
import type { Manifest } from "./bareSite.js";

const { values, positionals } = parseArgs({ options: { into: { type: "string" } }, allowPositionals: true });
const folder = values.into ?? join(projectRoot, ".dev", "bench");
const imagePaths = positionals.length > 0 ? positionals : [join(projectRoot, "data", "images", "astronaut.png")];

/** Takes Dawn from beside the bundle, in place of the package `webgpu`. */
const bundledDawn: Plugin = {
  name: "dawn-beside",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^webgpu$/ }, () => ({ path: "webgpu", namespace: "dawn-beside" }));
    onLoad({ filter: /.*/, namespace: "dawn-beside" }, () => ({
      contents: `
        import { createRequire } from "node:module";
        export const { create, globals } = createRequire(import.meta.url)("./dawn.node");`,
    }));
  },
};

// What lies in a folder that was named is not ours.
if (values.into === undefined) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });

await build({
  entryPoints: [
    { in: fileURLToPath(new URL("./bare.ts", import.meta.url)), out: "bench" },
    { in: fileURLToPath(new URL("./bareRealtime.ts", import.meta.url)), out: "realtime" },
    { in: fileURLToPath(new URL("./bareRecorded.ts", import.meta.url)), out: "recorded" },
    { in: fileURLToPath(new URL("./bareRecord.ts", import.meta.url)), out: "record" },
    { in: fileURLToPath(new URL("../host/node/partThread.ts", import.meta.url)), out: "partWorker" },
  ],
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // commander is CommonJS, and asks for Node's modules by require.
  banner: { js: 'import { createRequire as ask } from "node:module"; const require = ask(import.meta.url);' },
  plugins: [bundledDawn],
  logLevel: "warning",
});

await cp(join(projectRoot, "shaders"), join(folder, "shaders"), { recursive: true });
const dawnPlatform = `${process.platform}-${process.platform === "darwin" ? "universal" : process.arch}`;
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
console.log(`${values.into ?? ".dev/bench"} holds the benchmark of ${images.map(({ name }) => name).join(", ")}.`);
