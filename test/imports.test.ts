import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, it } from "vitest";

/** The modules and pages below src/, and what each imports of the others, by their paths there. */
const imports = new Map(
  readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.(ts|js|mjs|md)$/.test(path) && !path.startsWith(".observablehq/"))
    .map((path) => [path, importedBy(path)]),
);

function importedBy(path: string): string[] {
  return specifiersIn(path, /(?:\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]+)"/g);
}

/** What a module loads when it is loaded itself, packages too. */
function loadedBy(path: string): string[] {
  return specifiersIn(path, /^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gm);
}

/** Paths of this project's own modules, and names of packages. */
function specifiersIn(path: string, pattern: RegExp): string[] {
  const specifiers = readFileSync(join("src", path), "utf8").matchAll(pattern);
  return Array.from(specifiers, ([, name]) =>
    name.startsWith(".") ? posix.join(dirname(path), name).replace(/\.js$/, ".ts") : name,
  );
}

/** Each folder, and those that its modules import; what lies below all of them first. */
const floors: Record<string, string[]> = {
  engine: [],
  host: ["engine"],
  components: ["engine", "host"],
  report: ["engine", "host", "components"],
  cli: ["engine", "host", "report"],
};

/** All that a cell imports; the second has what this site alone can use. */
const cellModules = ["splatbook.ts", "notebook.ts"];

describe("imports", () => {
  for (const [folder, below] of Object.entries(floors)) {
    it(`of src/${folder}/ are its own${below.length > 0 ? `, and of ${below.join(", ")}` : ""}, and no others`, () => {
      const own = [...imports].filter(([path]) => path.startsWith(`${folder}/`));
      assert.ok(own.length > 0);
      const allowed = [folder, ...below].map((name) => `${name}/`);
      const others = own.flatMap(([path, imported]) =>
        imported
          .filter((other) => !allowed.some((name) => other.startsWith(name)))
          .map((other) => `${path} → ${other}`),
      );
      assert.deepEqual(others, []);
    });
  }

  it("of pages are from src/splatbook.ts and src/notebook.ts; only those of recorded runs are made of src/report/", () => {
    const pages = [...imports].filter(([path]) => path.endsWith(".md") && !path.startsWith("reports/"));
    assert.ok(pages.length > 10);
    const others = pages.flatMap(([path, imported]) =>
      imported.filter((other) => !cellModules.includes(other)).map((other) => `${path} → ${other}`),
    );
    assert.deepEqual(others, []);
  });

  it("bring Arrow, which takes half a second to load, into no command line before its command is known", () => {
    const reached = new Set(["cli/main.ts"]);
    for (const path of reached) for (const other of imports.has(path) ? loadedBy(path) : []) reached.add(other);
    assert.ok(reached.has("cli/fit.ts") && loadedBy("engine/files/arrowFile.ts").includes("apache-arrow"));
    assert.ok(!reached.has("apache-arrow"));
  });

  it("lead from no module back to itself", () => {
    assert.deepEqual([...imports.keys()].map(circleOf).filter(Boolean), []);
  });
});

describe("what cells import", () => {
  for (const module of cellModules) {
    it(`is documented where it is defined, each name of src/${module}`, () => {
      const lists = readFileSync(join("src", module), "utf8").matchAll(
        /^export (?:type )?\{([^}]*)\} from "([^"]+)";$/gm,
      );
      const exported = Array.from(lists, ([, names, file]) =>
        Array.from(names.matchAll(/(\w+)\s*(?:,|$)/g), ([, name]) => [name, file.replace(/\.js$/, ".ts")]),
      ).flat();
      assert.ok(exported.length > 5);
      assert.deepEqual(
        exported.filter(([name, file]) => !isDocumented(name, readFileSync(join("src", file), "utf8"))),
        [],
      );
    });
  }
});

/** Whether a docstring ends on the line above a name's definition. */
function isDocumented(name: string, text: string): boolean {
  const kinds = "(?:async )?(?:function\\*? ?|class |const |type |interface )";
  return new RegExp(`\\*/\\nexport ${kinds}${name}\\b`).test(text);
}

/** The shortest way from a module back to itself, or undefined where there is none. */
function circleOf(module: string): string | undefined {
  const ways: string[][] = [[module]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of imports.get(way.at(-1)!) ?? []) {
      if (next === module) return [...way, next].join(" → ");
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}
