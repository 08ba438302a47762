// @ts-check
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { build } from "esbuild";

/** What Framework's client is made of, and what pages load only when they need it, stays as it is. */
const apart = /(^|\/)_(npm|observablehq)\//;

/**
 * Puts the modules of a built site into one file, and each worker with its modules into one: Framework leaves every
 * module in a file of its own, and the lab asked for 340. A module keeps its address, at which pages and readers' cells
 * import it, and passes on what the one file holds, so that there is one of each. Behind the address stands the version
 * of that file, since a browser that keeps the module would look for an earlier one.
 * @param {string} dist the folder of the built site
 */
export async function bundleSite(dist) {
  const root = dist.replaceAll("\\", "/");
  const scripts = filesIn(root).filter((file) => file.endsWith(".js"));
  const files = scripts.filter((file) => /^_(import|node)\//.test(file));
  const workers = files.flatMap((file) => workersOf(root, file));
  const entryPoints = files.filter((file) => !workers.includes(file));
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: /** @type {const} */ ("esm"),
    legalComments: /** @type {const} */ ("inline"),
    minifySyntax: true,
    minifyWhitespace: true,
    target: "es2022",
    outdir: root,
    outbase: root,
  };
  const inMemory = { ...common, write: /** @type {const} */ (false) };
  const plugins = [moving(root, "_import")];
  const { metafile } = await build({ ...inMemory, entryPoints, plugins, splitting: true, metafile: true });
  const modules = reached(
    metafile.inputs,
    entryPoints.filter((file) => file.startsWith("_import/")),
  );
  const exports = new Map(modules.map((file) => [file, metafile.outputs[file].exports]));
  // The names of scripts tell their contents, those of Framework's client too, which the bundle imports.
  const version = createHash("sha256")
    .update(scripts.join())
    .update(readFileSync(new URL(import.meta.url)));
  const bundle = `_import/site.${version.digest("hex").slice(0, 8)}.js`;
  const versioned = new Map(modules.map((file) => [file, `${file}?${bundle.slice(-11, -3)}`]));

  // What pages ask for late comes with what it needs.
  const alone = [...workers, ...entryPoints.filter((file) => !exports.has(file))];
  for (const file of alone) {
    const plugins = [moving(root, posix.dirname(file))];
    await build({ ...common, entryPoints: [file], plugins, allowOverwrite: true });
  }
  const everything = [...exports].map(([file, names], index) =>
    passOn(names, (name) => `${name} as ${name}_${index}`, `./${file}`),
  );
  const { outputFiles } = await build({
    ...inMemory,
    stdin: { contents: everything.join(""), resolveDir: root },
    plugins: [moving(root, "_import", versioned)],
  });
  writeFileSync(join(root, bundle), outputFiles[0].contents);
  for (const [index, [file, names]] of [...exports].entries()) {
    const from = address(bundle, posix.dirname(file));
    writeFileSync(
      join(root, file),
      passOn(names, (name) => `${name}_${index} as ${name}`, from),
    );
  }
  for (const page of filesIn(root).filter((file) => file.endsWith(".html"))) usePage(root, page, bundle, versioned);
  writeFileSync(join(root, "_import", "modules.json"), JSON.stringify(moduleNames(versioned)));
}

/**
 * The modules of the site's own, by the names that they have without a hash, for cells that import them.
 * @param {Map<string, string>} versioned
 */
function moduleNames(versioned) {
  const own = [...versioned].filter(([file]) => file.startsWith("_import/"));
  const names = own.map(([file, address]) => [file.replace(/\.[0-9a-f]{8}\.js$/, ".js"), address]);
  return Object.fromEntries(names.map((pair) => pair.map((path) => path.slice("_import/".length))));
}

/**
 * @param {string[]} names
 * @param {(name: string) => string} rename
 * @param {string} from
 */
function passOn(names, rename, from) {
  return `export { ${names.map(rename).join(", ")} } from "${from}";\n`;
}

/**
 * What modules import, and they themselves; what they import late, a page may never ask for.
 * @param {import("esbuild").Metafile["inputs"]} inputs
 * @param {string[]} from
 * @returns {string[]}
 */
function reached(inputs, from) {
  const found = new Set(from);
  for (const file of found) {
    for (const { path, kind, external } of inputs[file].imports) {
      if (kind === "import-statement" && !external) found.add(path);
    }
  }
  return [...found];
}

/**
 * Lets modules find what lies beside them from the folder of the bundle that they move into.
 * @param {string} root
 * @param {string} folder
 * @param {Map<string, string>} [versioned] addresses of the modules that pass on what a bundle holds
 * @returns {import("esbuild").Plugin}
 */
function moving(root, folder, versioned = new Map()) {
  return {
    name: "moving",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
        const file = posix.join(posix.relative(root, resolveDir), path);
        if (kind !== "dynamic-import" && !apart.test(file)) return undefined;
        return { path: address(versioned.get(file) ?? file, folder), external: true };
      });
      build.onLoad({ filter: /\/_import\/.*\.js$/ }, ({ path }) => {
        const url = `new URL("${address(posix.relative(root, path), folder)}", import.meta.url).href`;
        const contents = readFileSync(path, "utf8").replace(
          /import\.meta\.(?:url|resolve\(("[^"]+")\))/g,
          (_, relative) => (relative ? `new URL(${relative}, ${url}).href` : url),
        );
        // Which module a part of the bundle is, for who reads it.
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
 * The workers that a module starts, by the one way in which modules name them here.
 * @param {string} root
 * @param {string} file
 */
function workersOf(root, file) {
  const started = readFileSync(join(root, file), "utf8").matchAll(/import\.meta\.resolve\("([^"]+)"\)/g);
  return Array.from(started, ([, relative]) => posix.join(posix.dirname(file), relative));
}

/**
 * Lets a page preload the one file in place of the modules in it, but for those that its own script imports.
 * @param {string} root
 * @param {string} page
 * @param {string} bundle
 * @param {Map<string, string>} versioned
 */
function usePage(root, page, bundle, versioned) {
  const folder = posix.dirname(page);
  const html = readFileSync(join(root, page), "utf8");
  const script = html.slice(html.indexOf('<script type="module">'));
  const first = `\n<link rel="modulepreload" href="${address(bundle, folder)}">`;
  const used = html
    .replace(/\n<link rel="modulepreload" href="([^"]+)">/g, (link, href) =>
      versioned.has(posix.join(folder, href)) && !script.includes(`"${href}"`) ? "" : link,
    )
    .replace(/\n<link rel="modulepreload"/, (next) => first + next)
    .replace(/"(\.[^"\n]+\.js)"/g, (quoted, href) => {
      const file = versioned.get(posix.join(folder, href));
      return file === undefined ? quoted : `"${address(file, folder)}"`;
    });
  writeFileSync(join(root, page), used);
}

/**
 * @param {string} folder
 * @returns {string[]} the paths in it, with slashes
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .sort();
}
