import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * What Framework's own client asks the versions of, on every page, used or not. It looks for a folder NAME@VERSION in
 * its cache before it asks the network, and an empty one will do; so the versions are of no consequence.
 */
const asked = [
  "@observablehq/plot",
  "@observablehq/sample-datasets",
  "apache-arrow",
  "arquero",
  "d3",
  "d3-dsv",
  "echarts",
  "htl",
  "leaflet",
  "lodash",
  "mapbox-gl",
  "parquet-wasm",
  "react",
  "react-dom",
  "topojson-client",
];

/**
 * Lets Framework build and preview with no network: pages import packages from node_modules by their bare names, and
 * what Framework would still ask for is answered by empty folders in its cache.
 * @param root Framework's root folder
 */
export function workOffline(root: string): void {
  for (const name of asked) {
    mkdirSync(join(root, ".observablehq", "cache", "_npm", `${name}@${installedVersion(name) ?? "0.0.0"}`), {
      recursive: true,
    });
  }
}

function installedVersion(name: string): string | undefined {
  try {
    return createRequire(import.meta.url)(`${name}/package.json`).version;
  } catch {
    return undefined; // not installed, or it keeps its package.json to itself
  }
}
