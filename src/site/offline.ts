import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * What Framework makes available in every cell under a name of its own, such as Plot, d3, Arrow, html and svg; and
 * sucrase, which a browser can only load as one module.
 */
const bundledPackages = ["@observablehq/plot", "apache-arrow", "d3", "d3-dsv", "htl", "isoformat", "sucrase"];

/**
 * What Framework's own client asks the versions of besides, on every page, used or not. It looks for a folder
 * NAME@VERSION in its cache before it asks the network, and an empty one will do.
 */
const requestedPackages = [
  "@observablehq/sample-datasets",
  "arquero",
  "echarts",
  "leaflet",
  "lodash",
  "mapbox-gl",
  "parquet-wasm",
  "react",
  "react-dom",
  "topojson-client",
];

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

/**
 * Lets Framework build and preview with no network: fills its cache of npm packages from what is installed. Modules and
 * cells better import packages by their bare names, which Framework takes from node_modules and which have types.
 * @param root Framework's root folder
 */
export async function workOffline(root: string): Promise<void> {
  const cache = join(root, ".observablehq", "cache", "_npm");
  for (const name of requestedPackages) mkdirSync(join(cache, `${name}@0.0.0`), { recursive: true });
  await Promise.all(bundledPackages.map((name) => bundle(name, cache)));
}

/** Bundles an installed package to the place where Framework looks for it, unless it is there already. */
async function bundle(name: string, cache: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
  const file = join(cache, `${name}@${version}`, "_esm.js");
  if (existsSync(file)) return;
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${name}";`, resolveDir: packages },
    bundle: true,
    format: "esm",
    minify: true,
    platform: "browser",
    target: "es2022",
    write: false,
  });
  mkdirSync(dirname(file), { recursive: true });
  // Builds may run at once; none must see half a file.
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, outputFiles[0].contents);
  renameSync(partial, file);
}
