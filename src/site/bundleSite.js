// @ts-check
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { build } from "esbuild";

/** The modules of Framework's client, which are not bundled. */
const unbundled = /(^|\/)_(npm|observablehq)\//;

/**
 * Bundles the modules of a built site into few files, and each worker into one. Framework writes every module to its own
 * file, so the lab requested 340 of them. One bundle contains the modules that several pages load at once, and each page
 * has a bundle for the rest. Modules that pages load later, such as the editor, are grouped by the imports that need
 * them. A module keeps its address for pages and edited cells, and re-exports from its bundle, so it is evaluated once.
 * The address ends with the version of the bundles, since a cached module would import from an earlier one.
 * @param {string} dist the folder of the built site
 */
export async function bundleSite(dist) {
  const root = dist.replaceAll("\\", "/");
  const all = filesIn(root);
  const scripts = all.filter((file) => file.endsWith(".js"));
  const pages = all.filter((file) => file.endsWith(".html"));
  const files = scripts.filter((file) => /^_(import|node)\//.test(file));
  const workers = files.flatMap((file) => workersOf(root, file));
  const entryPoints = files.filter((file) => !workers.includes(file));
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: /** @type {const} */ ("esm"),
    legalComments: /** @type {const} */ ("inline"),
    minify: true,
    target: "es2022",
    outdir: root,
    outbase: root,
  };
  const inMemory = { ...common, write: /** @type {const} */ (false) };
  const plugins = [resolveMoved(root, "_import")];
  const { metafile } = await build({ ...inMemory, entryPoints, plugins, splitting: true, metafile: true });
  // The names of scripts contain hashes of their contents.
  const hash = createHash("sha256")
    .update(scripts.join())
    .update(readFileSync(new URL(import.meta.url)));
  const version = hash.digest("hex").slice(0, 8);
  const named = new Map(
    pages.map((page) => [page, scriptImports(root, page).filter((file) => entryPoints.includes(file))]),
  );
  const parts = partsOf(metafile.inputs, entryPoints, [...named.values()]);
  const site = `_import/site.${version}.js`;
  /** @type {Map<string, BundledModule>} */
  const bundledModules = new Map();
  for (const [number, [key, modules]] of [...parts].entries()) {
    const part = key === "site" ? site : `_import/part${number}.${version}.js`;
    for (const file of modules)
      bundledModules.set(file, { part, index: bundledModules.size, names: metafile.outputs[file].exports });
  }
  const versioned = new Map([...bundledModules.keys()].map((file) => [file, `${file}?${version}`]));

  for (const file of workers) {
    const plugins = [resolveMoved(root, posix.dirname(file))];
    await build({ ...common, entryPoints: [file], plugins, allowOverwrite: true });
  }
  // Written at the end, since every bundle is built from the original modules.
  /** @type {[file: string, contents: string | Uint8Array][]} */
  const outputs = [];
  const bundling = Array.from(new Set([...bundledModules.values()].map(({ part }) => part)), async (part) => {
    const own = [...bundledModules].filter(([, { part: other }]) => other === part);
    const contents = own.map(([file, { names, index }]) =>
      reExport(names, (name) => `${name} as ${name}_${index}`, `./${file}`),
    );
    const { outputFiles } = await build({
      ...inMemory,
      stdin: { contents: contents.join(""), resolveDir: root },
      plugins: [resolveOtherBundles(root, part, bundledModules), resolveMoved(root, "_import", versioned)],
    });
    outputs.push([part, outputFiles[0].contents]);
  });
  await Promise.all(bundling);
  for (const [file, module] of bundledModules) outputs.push([file, stub(file, module)]);
  for (const [file, replacement] of duplicatesOf(root, scripts, [...bundledModules.keys()]))
    outputs.push([file, stub(file, /** @type {BundledModule} */ (bundledModules.get(replacement)))]);
  for (const [file, contents] of outputs) writeFileSync(join(root, file), contents);
  for (const [page, files] of named) {
    const own = files.filter(isOwn).flatMap((file) => bundledModules.get(file)?.part ?? []);
    preloadBundles(root, page, own.length > 0 ? [...new Set([site, ...own])] : [], versioned);
  }
  writeFileSync(join(root, "_import", "modules.json"), JSON.stringify(moduleNames(versioned)));
}

/**
 * A module's bundle, the number appended to its names there, and the names.
 * @typedef {{part: string, index: number, names: string[]}} BundledModule
 */

/**
 * Returns the source at the address of a module, which re-exports from its bundle.
 * @param {string} file
 * @param {BundledModule} module
 */
function stub(file, { part, index, names }) {
  return reExport(names, (name) => `${name}_${index} as ${name}`, address(part, posix.dirname(file)));
}

/** @param {string} file */
const isOwn = (file) => file.startsWith("_import/");

/**
 * Returns the modules of each bundle by key: "site" if several pages load them at once, a page if only that page does, a
 * list of dynamic imports if they are loaded later, and "cells" if only edited cells import them.
 * @param {import("esbuild").Metafile["inputs"]} inputs
 * @param {string[]} entryPoints
 * @param {string[][]} pages the modules that each page imports
 * @returns {Map<string, string[]>}
 */
function partsOf(inputs, entryPoints, pages) {
  /** @type {Map<string, string[]>} */
  const early = new Map();
  // Pages with the same imports, such as reports, count as one.
  for (const page of new Set(pages.map((named) => named.filter(isOwn).sort().join()))) {
    for (const file of importedBy(inputs, page.split(",").filter(Boolean))) {
      early.set(file, [...(early.get(file) ?? []), page]);
    }
  }
  /** @type {(files: Iterable<string>) => string[]} */
  const dynamicImportsOf = (files) =>
    [...files]
      .flatMap((file) => inputs[file].imports.filter(({ kind }) => kind === "dynamic-import"))
      .map(({ path }) => posix.join("_import", path));
  /** @type {Map<string, string[]>} */
  const late = new Map();
  for (const entry of new Set([...pages.flat(), ...dynamicImportsOf(entryPoints)])) {
    if (!entryPoints.includes(entry) || early.has(entry)) continue;
    for (const file of importedBy(inputs, [entry])) late.set(file, [...(late.get(file) ?? []), entry]);
  }
  /** @type {Map<string, string[]>} */
  const parts = new Map();
  for (const file of new Set([...importedBy(inputs, entryPoints.filter(isOwn)), ...late.keys()])) {
    const isShared = (early.get(file)?.length ?? 0) > 1 || (early.has(file) && late.has(file));
    const key = isShared ? "site" : String(early.get(file) ?? late.get(file) ?? "cells");
    parts.set(key, [...(parts.get(key) ?? []), file]);
  }
  return parts;
}

/**
 * Returns the modules that a page's own script imports.
 * @param {string} root
 * @param {string} page
 */
function scriptImports(root, page) {
  const named = scriptOf(readFileSync(join(root, page), "utf8")).matchAll(/"(\.[^"\n]+\.js)"/g);
  return Array.from(named, ([, href]) => posix.join(posix.dirname(page), href));
}

/** @param {string} html */
function scriptOf(html) {
  const start = html.indexOf('<script type="module">');
  return start < 0 ? "" : html.slice(start);
}

/**
 * Returns the copies of libraries that Framework adds for pages that use them without an import, each with the site's own
 * copy. Those that Framework's client loads at once are left out.
 * @param {string} root
 * @param {string[]} scripts
 * @param {string[]} modules in the site's bundles
 * @returns {[file: string, replacement: string][]}
 */
function duplicatesOf(root, scripts, modules) {
  const client = scripts.filter((file) => unbundled.test(file));
  const needed = client.flatMap((file) =>
    Array.from(readFileSync(join(root, file), "utf8").matchAll(/\bfrom ?"(\.[^"]+)"/g), ([, href]) =>
      posix.join(posix.dirname(file), href),
    ),
  );
  return client.flatMap((file) => {
    const [, name] = /^_npm\/(.+@[^/]+)\/[^/]+$/.exec(file) ?? [];
    const replacements = modules.filter((module) => module.startsWith(`_node/${name}/`));
    return replacements.length === 1 && !needed.includes(file)
      ? [/** @type {[string, string]} */ ([file, replacements[0]])]
      : [];
  });
}

/**
 * Returns the addresses of the site's own modules by their names without a hash, for cells that import them.
 * @param {Map<string, string>} versioned
 */
function moduleNames(versioned) {
  const own = [...versioned].filter(([file]) => file.startsWith("_import/"));
  const names = own.map(([file, address]) => [file.replace(/\.[0-9a-f]{8}\.js$/, ".js"), address]);
  return Object.fromEntries(names.map((entry) => entry.map((path) => path.slice("_import/".length))));
}

/**
 * @param {string[]} names
 * @param {(name: string) => string} rename
 * @param {string} from
 */
function reExport(names, rename, from) {
  return `export { ${names.map(rename).join(", ")} } from "${from}";\n`;
}

/**
 * Returns modules and everything that they import statically.
 * @param {import("esbuild").Metafile["inputs"]} inputs
 * @param {string[]} from
 * @returns {string[]}
 */
function importedBy(inputs, from) {
  const found = new Set(from);
  for (const file of found) {
    for (const { path, kind, external } of inputs[file].imports) {
      if (kind === "import-statement" && !external) found.add(path);
    }
  }
  return [...found];
}

/**
 * Returns a plugin that imports modules of other bundles from those bundles.
 * @param {string} root
 * @param {string} part the bundle being built
 * @param {Map<string, BundledModule>} bundledModules
 * @returns {import("esbuild").Plugin}
 */
function resolveOtherBundles(root, part, bundledModules) {
  return {
    name: "elsewhere",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir, namespace }) => {
        if (namespace === "elsewhere") return { path, external: true };
        const file = posix.join(posix.relative(root, resolveDir), path);
        const isOther = kind === "import-statement" && (bundledModules.get(file)?.part ?? part) !== part;
        return isOther ? { path: file, namespace: "elsewhere" } : undefined;
      });
      build.onLoad({ filter: /.*/, namespace: "elsewhere" }, ({ path }) => ({
        contents: stub(part, /** @type {BundledModule} */ (bundledModules.get(path))),
      }));
    },
  };
}

/**
 * Returns a plugin that adapts relative addresses in modules to the folder of their bundle.
 * @param {string} root
 * @param {string} folder
 * @param {Map<string, string>} [versioned] addresses of the modules that re-export from a bundle
 * @returns {import("esbuild").Plugin}
 */
function resolveMoved(root, folder, versioned = new Map()) {
  return {
    name: "moving",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
        const file = posix.join(posix.relative(root, resolveDir), path);
        if (kind !== "dynamic-import" && !unbundled.test(file)) return undefined;
        return { path: address(versioned.get(file) ?? file, folder), external: true };
      });
      build.onLoad({ filter: /\/_import\/.*\.js$/ }, ({ path }) => {
        const url = `new URL("${address(posix.relative(root, path), folder)}", import.meta.url).href`;
        const contents = readFileSync(path, "utf8").replace(
          /import\.meta\.(?:url|resolve\(("[^"]+")\))/g,
          (_, relative) => (relative ? `new URL(${relative}, ${url}).href` : url),
        );
        // A comment with the module's path, for people who read the bundle.
        return { contents: `/*! ${posix.relative(root, path)} */\n${contents}` };
      });
    },
  };
}

/**
 * @param {string} file
 * @param {string} folder
 * @returns {string} the file's address from the folder
 */
function address(file, folder) {
  return posix.relative(folder, file).replace(/^(?!\.)/, "./");
}

/**
 * Returns the workers that a module starts with import.meta.resolve.
 * @param {string} root
 * @param {string} file
 */
function workersOf(root, file) {
  const started = readFileSync(join(root, file), "utf8").matchAll(/import\.meta\.resolve\("([^"]+)"\)/g);
  return Array.from(started, ([, relative]) => posix.join(posix.dirname(file), relative));
}

/**
 * Makes a page preload bundles, and of the single modules only those that its own script imports.
 * @param {string} root
 * @param {string} page
 * @param {string[]} parts
 * @param {Map<string, string>} versioned
 */
function preloadBundles(root, page, parts, versioned) {
  const folder = posix.dirname(page);
  const html = readFileSync(join(root, page), "utf8");
  const script = scriptOf(html);
  const preloads = parts.map((part) => `\n<link rel="modulepreload" href="${address(part, folder)}">`).join("");
  const newHtml = html
    .replace(/\n<link rel="modulepreload" href="([^"]+)">/g, (link, href) =>
      versioned.has(posix.join(folder, href)) && !script.includes(`"${href}"`) ? "" : link,
    )
    .replace(/\n<link rel="modulepreload"/, (next) => preloads + next)
    .replace(/"(\.[^"\n]+\.js)"/g, (quoted, href) => {
      const file = versioned.get(posix.join(folder, href));
      return file === undefined ? quoted : `"${address(file, folder)}"`;
    });
  writeFileSync(join(root, page), newHtml);
}

/**
 * @param {string} folder
 * @returns {string[]} the paths in it, sorted, with slashes
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .sort();
}
