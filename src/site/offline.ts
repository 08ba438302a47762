import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * The libraries that Framework makes available in every cell (Plot, d3, Arrow, html, svg and so on), and sucrase, which a
 * browser can load only as one module.
 */
const bundledPackages = ["@observablehq/plot", "apache-arrow", "d3", "d3-dsv", "htl", "isoformat", "sucrase"];

/** Arrow without what it adds for browsers, writable streams, which nothing uses. */
const modules: Record<string, string> = { "apache-arrow": "apache-arrow/Arrow" };

/**
 * Further packages that Framework resolves the versions of, used or not. An empty folder NAME@VERSION in its cache keeps
 * it from asking the network.
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
 * Fills Framework's cache of npm packages from the installed ones, so that it builds and previews without a network.
 * @param root Framework's root folder
 */
export async function workOffline(root: string): Promise<void> {
  const cache = join(root, ".observablehq", "cache", "_npm");
  for (const name of requestedPackages) mkdirSync(join(cache, `${name}@0.0.0`), { recursive: true });
  await Promise.all(bundledPackages.map((name) => bundle(name, cache)));
}

/** Bundles an installed package into Framework's cache, unless the cache has it. */
async function bundle(name: string, cache: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
  const file = join(cache, `${name}@${version}`, "_esm.js");
  if (existsSync(file)) return;
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${modules[name] ?? name}";`, resolveDir: packages },
    bundle: true,
    format: "esm",
    minify: true,
    platform: "browser",
    target: "es2022",
    write: false,
  });
  mkdirSync(dirname(file), { recursive: true });
  // Another build may read the file at the same time.
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, outputFiles[0].contents);
  renameSync(partial, file);
}
