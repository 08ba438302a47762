/** The folder of the modules of the site: in a bundle, which is at the top of it. */
const modules = new URL("./", import.meta.url);

/** The packages that a cell can import by name. Framework adds them to the site because they are imported here. */
const packages: Record<string, () => Promise<unknown>> = {
  "@observablehq/inputs": () => import("../inputs/inputs.js"),
  "@observablehq/plot": () => import("../figures/plot.js"),
  "apache-arrow": () => import("apache-arrow"),
  d3: () => import("d3"),
  htl: () => import("htl"),
};

/** Framework's implicit names, which cells can use without an import. */
export const libraryNames: Record<string, () => Promise<unknown>> = {
  Arrow: packages["apache-arrow"],
  Inputs: packages["@observablehq/inputs"],
  Plot: packages["@observablehq/plot"],
  d3: packages.d3,
  html: async () => (await import("htl")).html,
  svg: async () => (await import("htl")).svg,
};

/**
 * Returns the module that a reader's cell imports: a package by name, or a module of a page by its path from the page,
 * such as "./figures.js".
 * @throws Error of one sentence if the site has no such module
 */
export async function importModule(specifier: string): Promise<unknown> {
  const load = packages[specifier];
  if (load) return load();
  if (!/^\.{0,2}\//.test(specifier)) {
    const names = Object.keys(packages).join(", ");
    throw new Error(`${specifier} is not available. A cell can import modules of pages, and ${names}.`);
  }
  const path = sitePath(specifier);
  moduleNames ??= hashedNames();
  const names = await moduleNames;
  const file = names ? names[path] : path;
  if (file === undefined) {
    const known = Object.keys(names!).sort().join(", ");
    throw new Error(`This site has no module ${path}. A cell can import ${known}.`);
  }
  return import(new URL(file, modules).href);
}

/** Returns a path relative to the page as one relative to the site's root. */
function sitePath(specifier: string): string {
  return new URL(specifier, `site:///${pagePath()}`).pathname.slice(1);
}

/** Returns the page's path from the site's root, such as "learn/undo". */
export function pagePath(): string {
  const path = location.pathname.slice(new URL("../", modules).pathname.length);
  return path.replace(/\.html$/, "").replace(/(^|\/)$/, "$1index");
}

let moduleNames: Promise<Record<string, string> | undefined> | undefined;

/** Returns a built site's module names with hashes, by those without; undefined in a preview, which has no hashes. */
async function hashedNames(): Promise<Record<string, string> | undefined> {
  const response = await fetch(new URL("modules.json", modules));
  return response.ok ? response.json() : undefined;
}
