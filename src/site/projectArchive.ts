import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { addToZip } from "../engine/files/zip.js";
import { projectRoot } from "../host/node/install.js";

/** Data loaders that read recorded runs, or other files outside src/. The project has their output. */
const loaders = ["recordedStart.webp", "thumbnails.json", "learn/recordedRun.json", "learn/recordedRun.webp"];

const left =
  /(^|\/)\.|(?<!^src\/help)\.md(\.ts)?$|^src\/(where\.json\.ts|(cli|farm|bench|docs)\/)|^src\/data\/(?!images|quality|bench)/;

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

This folder is an [Observable Framework](https://observablehq.com/framework/) project. It needs Node 20.19 or newer.

- \`npm start\` shows the page and rebuilds it as you edit.
- \`npm run build\` writes the site into \`dist/\`.

Both install what they need first. The page is a Markdown file in \`src/\`; its cells import modules from there. Links to the
other pages of the notebook lead nowhere, and there are no recorded runs.
`;

/** Returns this site as a Framework project without pages and recorded runs, as a zip archive. */
export function projectArchive(): Uint8Array {
  const { bin: _b, exports: _e, files: _f, types: _t, ...manifest } = JSON.parse(read("package.json").toString());
  const scripts = Object.entries(manifest.scripts).filter(([name]) => /^(pre)?(start|build)$/.test(name));
  const copied = ["package-lock.json", "observablehq.config.ts", "tsconfig.json", ".gitignore", "LICENSE"]
    .filter((path) => existsSync(join(projectRoot, path)))
    .concat(["src", "src/data", "shaders"].flatMap(filesIn).filter((path) => !left.test(path)))
    .filter((path) => !loaders.some((name) => path.startsWith(`src/${name}`)));
  const files: [string, Uint8Array | string][] = [
    ["README.md", readme],
    ["package.json", JSON.stringify({ ...manifest, scripts: Object.fromEntries(scripts) }, undefined, 2)],
    ...[...new Set(copied)].map((path): [string, Uint8Array] => [path, read(path)]),
    ...loaders.map((name): [string, Uint8Array] => [`src/${name}`, outputOf(name)]),
  ];
  return addToZip(files.map(([path, contents]) => [`splatbook/${path}`, contents]));
}

function read(path: string): Buffer {
  return readFileSync(join(projectRoot, path));
}
