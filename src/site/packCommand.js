// @ts-check
// The command line in the npm package: the modules that processes and threads start with, compiled, and the kernels.
import { cpSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { projectRoot } from "../host/node/install.js";
import { compilation, entries } from "../host/node/start.js";

const sources = join(projectRoot, "src");

/** The files that Node starts, and what the library imports in Node. In the package, they end in .mjs. */
const starters = [
  "cli/splatbook.js",
  "farm/trainer.mjs",
  "host/node/decodeFile.ts",
  "host/node/stageProcess.mjs",
  "host/node/thread.mjs",
];

/** Modules with functions that need a checkout. The package contains what they return. */
const evaluated = ["host/node/checkout.ts", "report/html/documentBundle.ts"];

/**
 * Writes the command line. Below the folder, its files have the paths of their sources.
 * @param {string} folder
 * @returns {Promise<string[]>} the packages that it imports
 */
export async function writeCommand(folder) {
  cpSync(join(projectRoot, "shaders"), join(folder, "shaders"), { recursive: true });
  const { metafile } = await build({
    ...compilation,
    entryPoints: starters.map((path) => join(sources, path)),
    outbase: sources,
    outdir: join(folder, "src"),
    outExtension: { ".js": ".mjs" },
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    plugins: [packaged],
  });
  const imports = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
  return [...new Set(imports.filter(({ external, path }) => external && !isBuiltin(path)).map(({ path }) => path))];
}

/** @type {import("esbuild").Plugin} */
const packaged = {
  name: "packaged",
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|js|mjs)$/ }, async ({ path }) => {
      if (!path.startsWith(sources)) return undefined;
      const source = relative(sources, path).replaceAll("\\", "/");
      if (source === "host/node/start.js") return { contents: startModule() };
      if (evaluated.includes(source)) return { contents: await evaluatedModule(path) };
      // A module may be in any file below the folder's src/.
      const url = `import.meta.url.replace(/(.+)\\/src\\/.+/, ${JSON.stringify(`$1/src/${source}`)})`;
      const contents = (await readFile(path, "utf8")).replaceAll("import.meta.url", () => url);
      return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
    });
  },
};

/** Returns the module of `start` that imports compiled modules. */
function startModule() {
  const starts = entries.map((entry) => `"${entry}": () => import("../../${entry}.ts")`);
  return `const starts = { ${starts.join(", ")} }; export const start = (entry) => starts[entry]();`;
}

/**
 * Returns a module of functions that return what those of another return now.
 * @param {string} path
 */
async function evaluatedModule(path) {
  const functions = Object.entries(await import(pathToFileURL(path).href));
  const exports = functions.map(
    async ([name, answer]) => `export const ${name} = () => (${JSON.stringify(await answer())});`,
  );
  return (await Promise.all(exports)).join("\n");
}
