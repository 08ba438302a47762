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

/** Framework's names that cells can use without an import. A built page has only those that its own cells use. */
export const libraries: Record<string, () => Promise<unknown>> = {
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
  const page = location.pathname.slice(new URL("../", modules).pathname.length);
  const path = new URL(specifier, `site:///${page}`).pathname.slice(1);
  moduleNames ??= fetch(new URL("modules.json", modules)).then((response) =>
    response.ok ? response.json() : undefined,
  );
  // A preview has no such file, since its names have no hashes.
  const names = await moduleNames;
  const file = names ? names[path] : path;
  if (file && /^\.{0,2}\//.test(specifier)) return import(new URL(file, modules).href);
  const known = [...Object.keys(packages), ...Object.keys(names ?? {}).sort()].join(", ");
  throw new Error(`${specifier} is not available. A cell can import ${known}.`);
}

let moduleNames: Promise<Record<string, string> | undefined> | undefined;
