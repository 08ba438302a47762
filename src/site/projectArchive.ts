import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { addToZip } from "../engine/files/zip.js";
import { projectRoot } from "../host/node/install.js";

/** Data loaders that read recorded runs, or other files outside src/. The project has their output. */
const loaders = ["recordedStart.webp", "thumbnails.json", "learn/recordedRun.json", "learn/recordedRun.webp"];

const left =
  /(^|\/)\.|(?<!^src\/help)\.md(\.ts)?$|^src\/(where\.json\.ts|(cli|farm|bench|docs)\/|(learn\/)?\w+\.html$)|^src\/data\/(?!images|quality|bench)/;

function filesIn(folder: string): string[] {
  const files = readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return paths.map((path) => path.slice(projectRoot.length).replaceAll("\\", "/"));
}

/** Returns the output of a data loader, or the file that an unpacked project has instead. */
function outputOf(name: string): Uint8Array {
  const file = join(projectRoot, "src", name);
  if (existsSync(file)) return readFileSync(file);
  return execFileSync(process.execPath, ["--import", "tsx", `${file}.ts`], { cwd: projectRoot, maxBuffer: 2 ** 26 });
}

const readme = `# A page of splatbook

This folder has a page of splatbook in three forms. It needs Node 20.19 or newer. Each command installs what it needs first.

## Observable Framework

The page is a Markdown file in \`src/\`.

- \`npm start\` shows the page and rebuilds it as you edit.
- \`npm run build\` writes the site into \`dist/\`.

## Observable Notebook Kit

The page is an HTML file in \`src/\`, next to the Markdown file.

- \`npm run notebook\` shows the page.
- \`npm run build:notebook\` writes the site into \`dist/\`.

## Jupyter

The page is an \`.ipynb\` file for the kernel of [Deno](https://docs.deno.com/runtime/reference/cli/jupyter/).

- \`deno jupyter --install\` adds the kernel to Jupyter, once.
- \`npm run jupyter\` opens the folder in JupyterLab.

Cells import modules from \`src/\`. Links to the other pages of the notebook lead nowhere, and there are no recorded runs.
`;

/** The scripts of a project besides those for Framework. */
export const commands = {
  prenotebook: "node src/host/node/install.js",
  notebook: "notebooks preview",
  "prebuild:notebook": "node src/host/node/install.js",
  "build:notebook": "notebooks build --out dist",
  prejupyter: "node src/host/node/install.js --without-tools",
  jupyter: "node src/site/notebookKit.js && jupyter lab",
};

const kit = "@observablehq/notebook-kit";

/** The parts of a lock file that are used. */
interface Lock {
  packages: Record<
    string,
    Record<"dependencies" | "devDependencies" | "optionalDependencies" | "peerDependencies", object> & {
      peerDependenciesMeta?: Record<string, { optional?: boolean }>;
    }
  >;
}

/** Returns the lock file without development packages other than Notebook Kit and what it needs. */
function lockFile(devDependencies: object): Lock {
  const lock: Lock = JSON.parse(read("package-lock.json").toString());
  const { packages } = lock;
  packages[""] = { ...packages[""], devDependencies };
  /** Returns where a package finds another: in its own folder, or in one around it. */
  const find = (folder: string, name: string): string | undefined => {
    const place = `${folder}node_modules/${name}`;
    if (place in packages) return place;
    return folder ? find(folder.slice(0, folder.lastIndexOf("node_modules/")), name) : undefined;
  };
  const kept = new Set([""]);
  for (const path of kept) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[path];
    const tools = path === "" ? devDependencies : {};
    for (const name of Object.keys({ ...dependencies, ...tools, ...optionalDependencies, ...peerDependencies })) {
      const found = find(path && `${path}/`, name);
      // npm does not install these by themselves.
      const isOptionalPeer = peerDependenciesMeta?.[name]?.optional && !(name in { ...dependencies });
      if (found && !isOptionalPeer) kept.add(found);
    }
  }
  return { ...lock, packages: Object.fromEntries(Object.entries(packages).filter(([path]) => kept.has(path))) };
}

/** Returns this site as a project without pages and recorded runs, as a zip archive. */
export function projectArchive(): Uint8Array {
  const { bin: _b, files: _f, types: _t, ...manifest } = JSON.parse(read("package.json").toString());
  const scripts = Object.entries(manifest.scripts).filter(([name]) => /^(pre)?(start|build)$/.test(name));
  const devDependencies = { [kit]: manifest.devDependencies[kit] };
  const project = {
    ...manifest,
    scripts: { ...Object.fromEntries(scripts), ...commands },
    exports: { "./*": "./.dev/modules/*.js", ".": "./.dev/modules/splatbook.js" },
    devDependencies,
  };
  const copied = ["observablehq.config.ts", "tsconfig.json", ".gitignore", "LICENSE"]
    .filter((path) => existsSync(join(projectRoot, path)))
    .concat(["src", "src/data", "shaders"].flatMap(filesIn).filter((path) => !left.test(path)))
    .filter((path) => !loaders.some((name) => path.startsWith(`src/${name}`)));
  const files: [string, Uint8Array | string][] = [
    ["README.md", readme],
    ["package.json", JSON.stringify(project, undefined, 2)],
    ["package-lock.json", JSON.stringify(lockFile(devDependencies), undefined, 2)],
    ["vite.config.js", 'export { default } from "./src/site/notebookKit.js";\n'],
    ...[...new Set(copied)].map((path): [string, Uint8Array] => [path, read(path)]),
    ...loaders.map((name): [string, Uint8Array] => [`src/${name}`, outputOf(name)]),
  ];
  return addToZip(files.map(([path, contents]) => [`splatbook/${path}`, contents]));
}

function read(path: string): Buffer {
  return readFileSync(join(projectRoot, path));
}
