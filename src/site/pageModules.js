// @ts-check
// What Framework builds and previews: a folder with links to the pages and their files, and with the modules that the
// pages import, bundled. Framework itself would serve each module and package on its own, hundreds for one page.
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { rolldown } from "rolldown";
import { projectRoot } from "../host/node/install.js";

const sources = join(projectRoot, "src");

/** The folders whose modules are those of pages. */
const pageFolders = ["", "docs", "learn", "reports"];

/** Packages that Framework serves to cells too, so that pages and cells share them. */
const shared = ["@observablehq/plot", "apache-arrow", "htl"];

/**
 * Fills a folder with what pages consist of. What it has already stays, and files with new contents are written.
 * @param {string} folder
 * @param {{minify: boolean}} options
 */
export async function writePages(folder, { minify }) {
  linkFiles(folder);
  /** @type {Set<string>} */
  const workers = new Set();
  const pages = pageFolders.flatMap((name) => modulesIn(name));
  // Two bundles have what several pages load at once, one of them only what the lab and most other pages need. No module in
  // it imports one of the other.
  const groups = [
    { name: bundleOfLab(), debugName: "site", minShareCount: 2 },
    { name: "shared", tags: [/** @type {const} */ ("$initial")], minShareCount: 2 },
  ];
  await writeModules(folder, pages, workers, { minify, codeSplitting: { groups } });
  // A worker can start further ones. Each is a file of its own, since it starts sooner than one with imports.
  for (const worker of workers) await writeModules(folder, [worker], workers, { minify, codeSplitting: false });
}

/**
 * Writes the addresses of the pages' modules by their names without a hash, for cells that import them.
 * @param {string} site the folder of the built site
 */
export function writeModuleNames(site) {
  const modules = join(site, "_import");
  const names = new Set(pageFolders.flatMap((folder) => modulesIn(folder)).map((name) => `${name}.js`));
  const files = readdirSync(modules, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/"));
  const named = files.map((file) => [file.replace(/\.[0-9a-f]{8}\.js$/, ".js"), file]);
  const addresses = Object.fromEntries(named.filter(([name]) => names.has(name)));
  writeFileSync(join(modules, "modules.json"), JSON.stringify(addresses));
}

/** @param {string} folder below src/ */
function modulesIn(folder) {
  return readdirSync(join(sources, folder))
    .filter((name) => /^\w+\.ts$/.test(name))
    .map((name) => posix.join(folder, name).slice(0, -".ts".length));
}

/**
 * Links to all files that are no modules: pages, data, data loaders, style sheets.
 * @param {string} folder
 */
function linkFiles(folder) {
  for (const path of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
    const target = join(sources, path);
    const isLoader = /\.\w+\.[tj]s$/.test(path);
    if (path.startsWith(".") || (/\.(ts|js|mjs)$/.test(path) && !isLoader) || path.endsWith(".d.ts")) continue;
    if (statSync(target).isDirectory() && path !== "data") continue;
    const link = join(folder, path);
    mkdirSync(dirname(link), { recursive: true });
    try {
      symlinkSync(target, link);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
  }
}

/**
 * Returns a function that names the bundle of a module: "site" if a module that the lab imports loads it at once.
 * @returns {(module: string, graph: {getModuleInfo(module: string): import("rolldown").ModuleInfo | null}) => string | null}
 */
function bundleOfLab() {
  /** @type {Map<string, boolean>} */
  const known = new Map(["figures", "lab", "notebook", "splatbook"].map((name) => [join(sources, `${name}.ts`), true]));
  return function nameOf(module, graph) {
    if (!known.has(module)) {
      // Modules may import each other.
      known.set(module, false);
      known.set(module, graph.getModuleInfo(module)?.importers.some((importer) => nameOf(importer, graph)) ?? false);
    }
    return known.get(module) ? "site" : null;
  };
}

/**
 * Bundles modules with everything that they import.
 * @param {string} folder
 * @param {string[]} modules their paths in src/, without the suffix
 * @param {Set<string>} workers receives those that the modules start
 * @param {import("rolldown").OutputOptions} options
 */
async function writeModules(folder, modules, workers, options) {
  const bundle = await rolldown({
    cwd: sources,
    input: Object.fromEntries(modules.map((path) => [path, join(sources, `${path}.ts`)])),
    platform: "browser",
    tsconfig: false,
    preserveEntrySignatures: "strict",
    checks: { ineffectiveDynamicImport: false },
    plugins: [forFramework(workers)],
  });
  const names = { entryFileNames: "[name].js", chunkFileNames: "[name].js" };
  const { output } = await bundle.generate({ format: "esm", ...names, ...options });
  await bundle.close();
  for (const file of output) if (file.type === "chunk") writeChanged(join(folder, file.fileName), file.code);
}

/**
 * Returns a plugin for what Framework resolves: packages of its own, and files and workers, which modules name relative
 * to themselves and bundles from the site's root.
 * @param {Set<string>} workers
 * @returns {import("rolldown").Plugin}
 */
function forFramework(workers) {
  const fromRoot = (/** @type {string} */ module, /** @type {string} */ path) =>
    relative(sources, resolve(dirname(module), path)).replaceAll("\\", "/");
  return {
    name: "for Framework",
    resolveId(specifier) {
      if (shared.includes(specifier)) return { id: `npm:${specifier}`, external: true };
      return /^(npm|observablehq):/.test(specifier) ? { id: specifier, external: true } : undefined;
    },
    transform: {
      filter: { code: /import\.meta\.resolve\(|FileAttachment\(/ },
      handler(code, module) {
        if (!module.startsWith(sources)) return undefined;
        return code
          .replace(/\bFileAttachment\("([^"]+)"\)/g, (_, path) => `FileAttachment("/${fromRoot(module, path)}")`)
          .replace(/import\.meta\.resolve\("([^"]+)\.js"\)/g, (_, path) => {
            const worker = fromRoot(module, path);
            workers.add(worker);
            return `import.meta.resolve("/${worker}.js")`;
          });
      },
    },
  };
}

/**
 * @param {string} path
 * @param {string} text
 */
function writeChanged(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  try {
    if (readFileSync(path, "utf8") === text) return;
  } catch {
    // It is new.
  }
  writeFileSync(path, text);
}
