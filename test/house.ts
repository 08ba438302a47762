// `npm run house`: prints the size of the project and the dependencies of its folders, as Markdown tables.
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "acorn";

const sources = filesBelow("src")
  .concat(filesBelow("shaders"))
  .filter((file) => /\.(ts|js|mjs|css|md|wgsl)$/.test(file));
const pages = sources.filter((file) => file.endsWith(".md"));
const components = sources.filter((file) => file.startsWith("src/components/") && /\.(ts|css)$/.test(file));
const cells = pages.flatMap((page) =>
  [...read(page).matchAll(/^```(?:js|ts).*\n([\s\S]*?)^```/gm)].map(([, cell]) => cell),
);

const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((path) => `test/${path.replaceAll("\\", "/")}`)
  .filter((path) => /\/(pages|[^/]*\.page\.test\.ts$)/.test(path) && path.endsWith(".ts"));

const rows: [name: string, value: number][] = [
  ["lines under src and shaders", lines(sources)],
  ["lines of components, TypeScript and CSS", lines(components)],
  ["lines of src/cli", lines(sources.filter((file) => file.startsWith("src/cli/")))],
  ["names exported by src/splatbook.ts", exportedNames("src/splatbook.ts")],
  ["addEventListener in components", count(components, /\baddEventListener\(/g)],
  ["files of components with an observer or a listener on the document", components.filter(watchesPage).length],
  ["selectors with a class in page tests", tests.flatMap(classSelectors).length],
  ["cells", cells.length],
  ["cells that only mount a component", cells.filter(isMount).length],
  ["cells that only cause a side effect", cells.filter(isEffect).length],
];

console.log("| what | number |\n| --- | --- |");
for (const [name, value] of rows) console.log(`| ${name} | ${value.toLocaleString("en")} |`);

console.log("\n| folder | files | lines |\n| --- | --- | --- |");
for (const folder of [...new Set(sources.map(folderOf))].sort()) {
  const files = sources.filter((file) => folderOf(file) === folder);
  console.log(`| ${folder} | ${files.length} | ${lines(files).toLocaleString("en")} |`);
}

/** Returns the paths of a folder's files, without Framework's cache. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => !path.includes("/.observablehq/") && !path.startsWith("src/data/"));
}

/** Returns the folder that a file is counted in: two levels deep, three in the engine, the host and the components. */
function folderOf(file: string): string {
  const [top, folder, room, ...rest] = file.split("/");
  const isDeep = top === "src" && ["engine", "host", "components"].includes(folder) && rest.length > 0;
  return room === undefined ? top : isDeep ? `${top}/${folder}/${room}` : `${top}/${folder}`;
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}

function lines(files: string[]): number {
  return files.reduce((sum, file) => sum + read(file).split("\n").length - 1, 0);
}

function count(files: string[], pattern: RegExp): number {
  return files.reduce((sum, file) => sum + [...read(file).matchAll(pattern)].length, 0);
}

function exportedNames(module: string): number {
  const lists = [...read(module).matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
  return lists.reduce((sum, [, names]) => sum + names.split(",").filter((name) => name.trim()).length, 0);
}

/** Returns the selectors by which a test finds elements by a class, and not by what a reader sees. */
function classSelectors(test: string): string[] {
  const calls = read(test).matchAll(/\b(?:locator|querySelector(?:All)?|closest|matches)\(\s*(["'`])(.*?)\1/gs);
  return [...calls]
    .map(([, , selector]) => selector)
    .filter((selector) => /(^|[\s>~+:(,\w\])])\.[a-zA-Z]/.test(selector));
}

function watchesPage(file: string): boolean {
  return /\bnew (Mutation|Intersection)Observer\b|\bdocument(\.body)?\.addEventListener\(/.test(read(file));
}

/** Returns the statements of a cell in JavaScript. */
function statements(cell: string) {
  const options = { ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true } as const;
  return parse(cell, options).body;
}

/** Returns whether a cell only shows a node and declares nothing. */
function isMount(cell: string): boolean {
  return !declares(cell) && shows(cell);
}

/** Returns whether a cell declares and shows nothing, and does more than import modules. */
function isEffect(cell: string): boolean {
  return !declares(cell) && !shows(cell) && statements(cell).some(({ type }) => type !== "ImportDeclaration");
}

function declares(cell: string): boolean {
  return statements(cell).some(({ type }) => type !== "ImportDeclaration" && /Declaration$/.test(type));
}

function shows(cell: string): boolean {
  const [first, ...others] = statements(cell).filter(({ type }) => type !== "ImportDeclaration");
  const isExpression = first?.type === "ExpressionStatement" && others.length === 0 && !/;\s*$/.test(cell);
  return isExpression || /\b(display|view)\(/.test(cell);
}
