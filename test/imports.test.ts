import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, it } from "vitest";

/** Maps modules and pages of the site and its configuration to the modules that each names, by path. */
const imports = new Map(
  ["observablehq.config.ts", ...readdirSync("src", { recursive: true, encoding: "utf8" }).map((path) => `src/${path}`)]
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.(ts|js|mjs|md)$/.test(path) && !path.startsWith("src/.observablehq/"))
    .map((path) => [path, namedBy(path)]),
);

/** Returns modules that a file imports, or names in a string to read, start or resolve them. */
function namedBy(path: string): string[] {
  return specifiersIn(path, /"(\.\.?\/[^"\s]+)"/g).filter((other) => /\.(ts|js|mjs)$/.test(other) && existsSync(other));
}

/** Returns modules that a file imports, types included, without the workers that it starts. */
function importedBy(path: string): string[] {
  return specifiersIn(path, /(?:\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]+)"/g);
}

/** Returns the modules and packages that a module loads directly. */
function loadedBy(path: string): string[] {
  return specifiersIn(path, /^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gm);
}

/** Returns all modules and packages that a module loads, starting with the module. */
function reachedFrom(path: string): string[] {
  const reached = new Set([path]);
  for (const path of reached) for (const other of imports.has(path) ? loadedBy(path) : []) reached.add(other);
  return [...reached];
}

/** Returns paths of this project's modules, and names of packages. */
function specifiersIn(path: string, pattern: RegExp): string[] {
  return Array.from(readFileSync(path, "utf8").matchAll(pattern), ([, name]) => {
    if (!name.startsWith(".")) return name;
    const named = posix.join(posix.dirname(path), name);
    return existsSync(named) ? named : named.replace(/\.js$/, ".ts");
  });
}

const engine = ["engine"];
const command = [...engine, "host", "host/node", "terminal"];
const component = [...engine, "host", "host/browser", "components"];

/** The other rooms that each room may import from. Outside the engine, its folders count as one room. */
const floors: Record<string, string[]> = {
  engine: ["engine/image", "engine/model"],
  "engine/image": engine,
  "engine/model": ["engine", "engine/image"],
  "engine/training": ["engine", "engine/image", "engine/model"],
  "engine/cpu": ["engine", "engine/image", "engine/model", "engine/training"],
  "engine/gpu": ["engine", "engine/image", "engine/model", "engine/training"],
  "engine/sweep": engine,
  "engine/files": ["engine", "engine/image", "engine/model", "engine/sweep", "engine/training"],
  "engine/regions": ["engine", "engine/files", "engine/image", "engine/model", "engine/training"],
  "engine/bench": ["engine", "engine/files", "engine/image", "engine/model"],
  host: engine,
  "host/node": [...engine, "host"],
  "host/browser": [...engine, "host"],
  terminal: engine,
  runs: command,
  bench: [...command, "runs"],
  farm: [...command, "runs"],
  components: component,
  report: [...component, "host/node"],
  site: [...command, "host/browser", "runs", "report", "components"],
  cli: [...command, "runs", "bench", "farm", "report"],
};

/** Returns the room of a module: its folder, or for the engine and the host the folder below. */
function roomOf(path: string): string {
  const [, first, second] = /^src\/(\w+)\/(?:(\w+)\/)?/.exec(path) ?? [];
  return second && `${first}/${second}` in floors ? `${first}/${second}` : (first ?? "");
}

/** Returns whether a room may import from another. */
function allows(room: string, other: string): boolean {
  const isOutside = !room.startsWith("engine") && other.startsWith("engine/");
  return other === room || floors[room].includes(isOutside ? "engine" : other);
}

/** The modules that cells import: the library, those that pages share, and one for each page. */
const cellModules = [...imports.keys()].filter(
  (path) =>
    /^src\/(learn\/|docs\/)?\w+\.ts$/.test(path) &&
    (isShared(path) || imports.has(path.replace(".ts", ".md")) || path === "src/lab.ts"),
);

function isShared(path: string): boolean {
  return ["src/splatbook.ts", "src/figures.ts", "src/notebook.ts", "src/chapters.ts"].includes(path);
}

describe("imports", () => {
  it("of each room are its own, and of the rooms that it may import from", () => {
    const rooms = new Set([...imports.keys()].map(roomOf));
    for (const room of Object.keys(floors)) assert.ok(rooms.has(room), room);
    const others = [...imports].flatMap(([path, named]) =>
      roomOf(path) in floors
        ? named.filter((other) => !allows(roomOf(path), roomOf(other))).map((other) => `${path} → ${other}`)
        : [],
    );
    assert.deepEqual(others, []);
  });

  it("of data loaders and the configuration are from the rooms that build the site, except for the page of the command line", () => {
    const loaders = [...imports].filter(([path]) => /\.\w+\.ts$|^observablehq/.test(path.replace(".d.ts", "")));
    assert.ok(loaders.length > 5);
    const rooms = ["components", "engine", "engine/cpu", "engine/image", "host/node", "report", "site"];
    // The command line's page of the documentation.
    const listed: Record<string, string> = {
      "src/docs/command-line.md.ts": "cli",
      "src/docs/files.md.ts": "engine/files",
      "src/docs/library.md.ts": "docs",
    };
    const others = loaders.flatMap(([path, named]) =>
      named.filter((other) => ![...rooms, listed[path]].includes(roomOf(other))).map((other) => `${path} → ${other}`),
    );
    assert.deepEqual(others, []);
  });

  it("of pages are from the modules for cells; only those of recorded runs import src/report/", () => {
    const pages = [...imports].filter(([path]) => path.endsWith(".md") && !path.startsWith("src/reports/"));
    assert.ok(pages.length > 10 && cellModules.length > 10);
    const others = pages.flatMap(([path, named]) =>
      named.filter((other) => !cellModules.includes(other)).map((other) => `${path} → ${other}`),
    );
    assert.deepEqual(others, []);
  });

  it("load little into a command line before its command is known", () => {
    const packages = ["commander", "fastest-levenshtein"];
    const reached = reachedFrom("src/cli/main.ts").filter((path) => !path.startsWith("node:"));
    assert.ok(reached.includes("src/cli/fitCommand.ts"));
    assert.deepEqual(reached.filter((path) => !path.startsWith("src/")).sort(), packages);
    const other = reached.filter((path) =>
      /^src\/(engine\/(cpu|files|gpu|training)|report|runs\/(?!recordEvery))/.test(path),
    );
    assert.deepEqual(other, []);
  });

  it("load Arrow, which takes long, only after the options of a command have been checked", () => {
    assert.ok(loadedBy("src/engine/files/arrowFile.ts").includes("apache-arrow"));
    for (const command of readdirSync("src/cli").filter((name) => /Command\.ts$/.test(name))) {
      const module = `src/cli/${command.replace("Command", "")}`;
      assert.ok(existsSync(module));
      assert.ok(!reachedFrom(module).includes("apache-arrow"), module);
    }
  });

  it("have no cycles", () => {
    const importsOf = new Map([...imports.keys()].map((path) => [path, importedBy(path)]));
    const finished = new Set<string>();
    const visit = (path: string, way: string[]) => {
      if (way.includes(path)) assert.fail([...way, path].join(" → "));
      if (finished.has(path)) return;
      for (const next of importsOf.get(path) ?? []) visit(next, [...way, path]);
      finished.add(path);
    };
    for (const path of imports.keys()) visit(path, []);
  });
});
