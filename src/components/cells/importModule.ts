/** The folder of the site's modules. */
const modules = new URL("../../", import.meta.url);

/** Packages that a cell may import by their names. Framework brings them into the site because it reads them here. */
const packages: Record<string, () => Promise<unknown>> = {
  "@observablehq/inputs": () => import("../inputs/inputs.js"),
  "@observablehq/plot": () => import("../figures/plot.js"),
  "apache-arrow": () => import("apache-arrow"),
  d3: () => import("d3"),
  htl: () => import("htl"),
};

/** The names that pages may use without an import, and what each is in its package. */
export const libraryNames: Record<string, () => Promise<unknown>> = {
  Arrow: packages["apache-arrow"],
  Inputs: packages["@observablehq/inputs"],
  Plot: packages["@observablehq/plot"],
  d3: packages.d3,
  html: async () => (await import("htl")).html,
  svg: async () => (await import("htl")).svg,
};

/**
 * Imports a module for a cell of the reader: a package by its name, or a module of this site by its path from the page,
 * such as "./components/lossChart.js".
 * @throws Error of one sentence if the site has no such module
 */
export async function importModule(specifier: string): Promise<unknown> {
  const load = packages[specifier];
  if (load) return load();
  if (!/^\.{0,2}\//.test(specifier)) {
    const names = Object.keys(packages).join(", ");
    throw new Error(`${specifier} is not available. A cell can import modules of this site, and ${names}.`);
  }
  const path = sitePath(specifier);
  moduleNames ??= hashedNames();
  const names = await moduleNames;
  const file = names ? names[path] : path;
  if (file === undefined) throw new Error(`This site has no module ${path}.`);
  return import(new URL(file, modules).href);
}

/** A path from the page as one from the site's root. */
function sitePath(specifier: string): string {
  const site = new URL("../", modules);
  const page = location.pathname.slice(site.pathname.length);
  return new URL(specifier, new URL(page, "site:///")).pathname.slice(1);
}

let moduleNames: Promise<Record<string, string> | undefined> | undefined;

/** The names that a built site's modules have with their hashes, by those without; a preview has neither. */
async function hashedNames(): Promise<Record<string, string> | undefined> {
  const response = await fetch(new URL("modules.json", modules));
  return response.ok ? response.json() : undefined;
}
