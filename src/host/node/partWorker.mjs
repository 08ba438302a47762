// @ts-check
// Plain JavaScript, since a thread starts without a TypeScript loader, which would start another thread beside each;
// .mjs, since the benchmark's bundle has a file of this name in its place and no package.json.
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const entryPoints = [fileURLToPath(new URL("./partThread.ts", import.meta.url))];
const { outputFiles } = buildSync({ entryPoints, bundle: true, format: "esm", platform: "node", write: false });
await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
