// @ts-check
// `npm pack`: packs src/splatbook.ts, src/figures.ts and the chapters' modules for other projects. One file contains all
// of them, with kernels and workers, since Framework and Vite's development server move the modules of a package. Each
// entry point re-exports its names from that file, so that every module is evaluated once.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { build, buildSync } from "esbuild";
import { isMain } from "../host/node/install.js";

/** The folder of the packed files, as package.json names it. */
const packageFolder = "dist-package";
/** The entry points: modules below src/, without extension. */
const entries = [
  "splatbook",
  "figures",
  ...readdirSync("src/learn").flatMap(
    (file) =>
      /^(\w+)\.ts$/
        .exec(file)
        ?.slice(1)
        .map((name) => `learn/${name}`) ?? [],
  ),
];
/** Where the project's package.json is while the package's one replaces it. */
const projectManifest = join(packageFolder, "package.json");

const common = {
  bundle: true,
  format: /** @type {const} */ ("esm"),
  legalComments: /** @type {const} */ ("inline"),
  target: "es2022",
};

/** Options for modules. Node lacks some globals of browsers. */
const modules = {
  ...common,
  packages: /** @type {const} */ ("external"),
  inject: ["src/host/node/webGlobals.ts"],
  define: { workerScope: "globalThis", hasInlineWorkers: "false" },
};

/**
 * Writes the package's files, and replaces package.json by the package's one. It has no command, and depends only on
 * packages that the modules import.
 */
async function pack() {
  // After an interrupted run, package.json is still the package's one.
  if (!("bin" in readProject())) restore();
  rmSync(packageFolder, { recursive: true, force: true });
  const { metafile } = await writeModules(join(packageFolder, "all.js"));
  await build({ ...common, entryPoints: ["src/site/packLibrary.css"], outfile: join(packageFolder, "splatbook.css") });
  await writeStandalone(join(packageFolder, "standalone.js"));
  for (const entry of entries) await writeEntryPoint(entry);
  writeTypes();
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  const names = imported.map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const { bin: _b, devDependencies: _d, overrides: _o, allowScripts: _a, ...project } = readProject();
  const usedDependencies = Object.entries(project.dependencies).filter(([name]) => names.includes(name));
  const dependencies = Object.fromEntries(usedDependencies.map(([name, version]) => [name, `^${version}`]));
  // In Node, the library uses a GPU if this package is installed too.
  const peers = {
    peerDependencies: { webgpu: `^${project.dependencies.webgpu}` },
    peerDependenciesMeta: { webgpu: { optional: true } },
  };
  renameSync("package.json", projectManifest);
  writeFileSync("package.json", `${JSON.stringify({ ...project, dependencies, ...peers }, null, 2)}\n`);
}

/**
 * Writes all modules of the package into one file.
 * @param {string} outfile
 */
export function writeModules(outfile) {
  const contents = entries.map((entry) => `export * from "./${entry}.ts";`).join("");
  const stdin = { contents, resolveDir: "src" };
  return build({ ...modules, stdin, outfile, metafile: true, plugins: [inlineAssets(false)] });
}

/**
 * Writes src/standalone.ts with all that it imports, for pages, notebooks and scripts without a bundler.
 * @param {string} outfile
 */
export async function writeStandalone(outfile) {
  const packages = /** @type {const} */ ("bundle");
  const entryPoints = ["src/standalone.ts"];
  const define = { ...modules.define, hasInlineWorkers: "true" };
  await build({ ...modules, define, entryPoints, outfile, packages, minify: true, plugins: [inlineAssets(true)] });
}

/**
 * Writes the module of an entry point, which re-exports its names from all.js.
 * @param {string} entry
 */
async function writeEntryPoint(entry) {
  const { metafile } = await build({ entryPoints: [`src/${entry}.ts`], format: "esm", write: false, metafile: true });
  const [{ exports }] = Object.values(metafile.outputs);
  const file = join(packageFolder, `${entry}.js`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `export { ${exports.join(", ")} } from "splatbook/all";\n`);
}

function readProject() {
  return JSON.parse(readFileSync("package.json", "utf8"));
}

/** Puts the project's own package.json back. */
function restore() {
  renameSync(projectManifest, "package.json");
}

/** Writes the declarations of the entry points and of the modules that they import. */
function writeTypes() {
  const src = realpathSync("src");
  const config = join(packageFolder, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: src,
    outDir: join(realpathSync(packageFolder), "types"),
  };
  const modules = [...entries.map((entry) => `${entry}.ts`), "host/packages.d.ts", "host/stdlib.d.ts"];
  const files = modules.map((file) => join(src, file));
  const tsconfig = { extends: realpathSync("tsconfig.json"), compilerOptions, files, include: [] };
  writeFileSync(config, JSON.stringify(tsconfig));
  const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  execFileSync(process.execPath, [join(typescript, "bin", "tsc"), "-p", config], { stdio: "inherit" });
  rmSync(config);
}

/**
 * Inlines the files that modules name: workers, which then start from their text, and attached files.
 * @param {boolean} asFunctions Whether a worker is a function, which can also run in the page's thread. Bundlers could
 * change a function so that its text does not run by itself.
 * @returns {import("esbuild").Plugin}
 */
const inlineAssets = (asFunctions) => ({
  name: "inline assets",
  setup({ onLoad, onResolve, resolve: resolveImport }) {
    onLoad({ filter: /\.ts$/, namespace: "file" }, ({ path }) => {
      /** @type {string[]} */
      const imports = [];
      const name = (/** @type {string} */ specifier) => {
        imports.push(`import inlined${imports.length} from "${specifier}";`);
        return `inlined${imports.length - 1}`;
      };
      const contents = readFileSync(path, "utf8")
        .replace(/import\.meta\.resolve\("([^"]+)"\)/g, (_, file) => `${name(`worker:${file}`)}()`)
        // Bundlers for browsers must not look for Dawn.
        .replace(
          'import("webgpu")',
          'import(/* @vite-ignore */ /* webpackIgnore: true */ globalThis.process && "webgpu")',
        )
        .replace(/\bFileAttachment\("([^"]+)"\)/g, (_, file) => `FileAttachment(${name(`attached:${file}`)})`);
      return { contents: imports.join(" ") + contents, loader: "ts" };
    });
    onResolve({ filter: /^(worker|attached):/ }, ({ path, resolveDir }) => {
      const [, namespace, file] = /** @type {RegExpExecArray} */ (/^(\w+):(.*)$/.exec(path));
      return { path: relative("src", resolve(resolveDir, file)), namespace, pluginData: resolve(resolveDir, file) };
    });
    onLoad({ filter: /./, namespace: "worker" }, async ({ pluginData }) => {
      const worker = pluginData.replace(/\.js$/, ".ts");
      const { outputFiles } = await build({
        ...modules,
        entryPoints: [worker],
        minifySyntax: true,
        minifyWhitespace: true,
        packages: "bundle",
        define: asFunctions ? { hasInlineWorkers: "false" } : modules.define,
        write: false,
        plugins: [inlineAssets(asFunctions)],
      });
      const [{ text }] = outputFiles;
      const code = asFunctions
        ? `const run = async (workerScope) => {${text}}; const text = "(" + run + ")(globalThis)";`
        : `const run = undefined; const text = ${JSON.stringify(text)};`;
      const contents = `${code}
        let address;
        const toString = () => (address ??= globalThis.process?.getBuiltinModule && !globalThis.document
          ? "data:text/javascript," + encodeURIComponent(text)
          : URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
        export default () => ({ run, toString });`;
      return { contents };
    });
    onLoad({ filter: /./, namespace: "attached" }, ({ pluginData: path }) => {
      if (existsSync(`${path}.ts`)) return { contents: outputOf(`${path}.ts`), loader: "text" };
      if (/\.(ts|json)$/.test(path)) return { contents: readFileSync(path, "utf8"), loader: "text" };
      if (/\.css$/.test(path)) return { contents: styles(path), loader: "text" };
      const reason = `${basename(path)} is not text, and the package contains attached files only as text.`;
      return { errors: [{ text: reason }] };
    });
    // Other projects use the npm package, and pages Framework's copy of it.
    onResolve({ filter: /^observablehq:stdlib\/inputs$/ }, ({ kind, resolveDir }) =>
      resolveImport("@observablehq/inputs", { kind, resolveDir }),
    );
    onResolve({ filter: /^observablehq:stdlib$/ }, ({ path }) => ({ path, namespace: "stdlib" }));
    onLoad({ filter: /./, namespace: "stdlib" }, () => ({
      contents:
        "export const FileAttachment = (text) => ({ text: async () => text, json: async () => JSON.parse(text) });",
    }));
  },
});

/** @param {string} path a style sheet, which is returned with those that it imports */
function styles(path) {
  return buildSync({ ...common, entryPoints: [path], minify: true, write: false }).outputFiles[0].text;
}

/** @param {string} loader a data loader of Framework's */
function outputOf(loader) {
  return execFileSync(process.execPath, ["--import", "tsx", loader], { encoding: "utf8", maxBuffer: 1e9 });
}

if (isMain(import.meta.url)) {
  if (process.argv.includes("--restore")) restore();
  else await pack();
}
