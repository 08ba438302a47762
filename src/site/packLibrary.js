// @ts-check
// `npm pack`: packs the command line, and src/splatbook.ts for other projects. One file contains all modules of the
// library, with kernels and workers, since Framework and Vite's development server move the modules of a package.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { isMain } from "../host/node/install.js";
import { writeCommand } from "./packCommand.js";

/** The folder of the packed files, as package.json names it. */
const packageFolder = "dist-package";
/** Where the project's package.json is while that of the package replaces it. */
const replaced = join(packageFolder, "package.json");

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
};

/**
 * Writes the package's files, and replaces package.json. The package depends on the packages that its
 * modules import. Those of the command line are optional, so that projects that use only the modules can leave them out.
 */
async function pack() {
  // After an interrupted run, package.json is still the package's one.
  restore();
  rmSync(packageFolder, { recursive: true, force: true });
  const { metafile } = await writeLibrary(join(packageFolder, "splatbook.js"));
  await build({ ...common, entryPoints: ["src/splatbook.css"], outfile: join(packageFolder, "splatbook.css") });
  writeTypes();
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  const names = imported.map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const commandPackages = await writeCommand(packageFolder);
  const {
    private: _p,
    scripts: _s,
    devDependencies,
    config: _c,
    overrides: _o,
    allowScripts: _a,
    ...project
  } = JSON.parse(readFileSync("package.json", "utf8"));
  const usedDependencies = Object.entries(project.dependencies).filter(([name]) => names.includes(name));
  const dependencies = Object.fromEntries(usedDependencies.map(([name, version]) => [name, `^${version}`]));
  // The versions are exact, since a run is bit-identical only with those of the tests.
  const versions = { ...devDependencies, ...project.dependencies };
  const optionalDependencies = Object.fromEntries(commandPackages.sort().map((name) => [name, versions[name]]));
  const bin = { splatbook: `${packageFolder}/src/cli/splatbook.mjs` };
  const manifest = { ...project, bin, dependencies, optionalDependencies };
  renameSync("package.json", replaced);
  writeFileSync("package.json", `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Writes the library into one file.
 * @param {string} outfile
 */
export function writeLibrary(outfile) {
  return build({ ...modules, entryPoints: ["src/splatbook.ts"], outfile, metafile: true, plugins: [inlineAssets] });
}

/** Puts the project's own package.json back. */
function restore() {
  if (existsSync(replaced)) renameSync(replaced, "package.json");
}

/** Writes the declarations of the library and of the modules that it imports. */
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
  const files = ["splatbook.ts", "components/packages.d.ts", "components/stdlib.d.ts"].map((file) => join(src, file));
  const tsconfig = { extends: realpathSync("tsconfig.json"), compilerOptions, files, include: [] };
  writeFileSync(config, JSON.stringify(tsconfig));
  const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  execFileSync(process.execPath, [join(typescript, "bin", "tsc"), "-p", config], { stdio: "inherit" });
  rmSync(config);
}

/**
 * Inlines the files that modules name: workers, which then start from their text, and attached files.
 * @type {import("esbuild").Plugin}
 */
const inlineAssets = {
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
        .replace(
          /\bFileAttachment\("([^"]+)"\)/g,
          (_, file) => `FileAttachment(${name(`attached:${file}`)}, "${basename(file)}")`,
        );
      return { contents: imports.join(" ") + contents, loader: "ts" };
    });
    onResolve({ filter: /^(worker|attached):/ }, ({ path, resolveDir }) => {
      const [, namespace, file] = /** @type {RegExpExecArray} */ (/^(\w+):(.*)$/.exec(path));
      return { path: relative("src", resolve(resolveDir, file)), namespace, pluginData: resolve(resolveDir, file) };
    });
    onLoad({ filter: /./, namespace: "worker" }, async ({ pluginData }) => {
      const { outputFiles } = await build({
        ...modules,
        entryPoints: [pluginData.replace(/\.js$/, ".ts")],
        minifySyntax: true,
        minifyWhitespace: true,
        packages: "bundle",
        write: false,
        plugins: [inlineAssets],
      });
      const contents = `const text = ${JSON.stringify(outputFiles[0].text)};
        let address;
        export default () => (address ??= globalThis.process?.getBuiltinModule && !globalThis.document
          ? "data:text/javascript," + encodeURIComponent(text)
          : URL.createObjectURL(new Blob([text], { type: "text/javascript" })));`;
      return { contents };
    });
    onLoad({ filter: /./, namespace: "attached" }, ({ pluginData: path }) => {
      if (existsSync(`${path}.ts`)) return { contents: outputOf(`${path}.ts`), loader: "text" };
      if (/\.(ts|json)$/.test(path)) return { contents: readFileSync(path, "utf8"), loader: "text" };
      const reason = `${basename(path)} is not text, and the package contains attached files only as text.`;
      return { errors: [{ text: reason }] };
    });
    // Other projects use the npm package, and pages Framework's copy of it.
    onResolve({ filter: /^observablehq:stdlib\/inputs$/ }, ({ kind, resolveDir }) =>
      resolveImport("@observablehq/inputs", { kind, resolveDir }),
    );
    onResolve({ filter: /^observablehq:stdlib$/ }, ({ path }) => ({ path, namespace: "stdlib" }));
    onLoad({ filter: /./, namespace: "stdlib" }, () => ({
      contents: `export const FileAttachment = (file, name) => ({
        name,
        text: async () => file,
        json: async () => JSON.parse(file),
        blob: async () => (await fetch(file)).blob(),
      });`,
    }));
  },
};

/** @param {string} loader a data loader of Framework's */
function outputOf(loader) {
  return execFileSync(process.execPath, ["--import", "tsx", loader], { encoding: "utf8", maxBuffer: 1e9 });
}

if (isMain(import.meta.url)) {
  if (process.argv.includes("--restore")) restore();
  else await pack();
}
