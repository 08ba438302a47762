/** The folder of the modules of the site: in a bundle, which is at the top of it. */
const modules = new URL("./", import.meta.url);

/** Returns the addresses of the packages that a cell can import by name. */
const packages = (): Record<string, string> => ({
  "@observablehq/inputs": import.meta.resolve("observablehq:stdlib/inputs"),
  "@observablehq/plot": import.meta.resolve("npm:@observablehq/plot"),
  "apache-arrow": import.meta.resolve("npm:apache-arrow"),
  d3: import.meta.resolve("npm:d3"),
  htl: import.meta.resolve("npm:htl"),
});

/**
 * Returns the address of the module that a reader's cell imports: a package by name, or a module of a page by its path
 * from the page, such as "./figures.js".
 * @throws Error of one sentence if the site has no such module
 */
export async function importUrl(specifier: string): Promise<string> {
  const response = await fetch(new URL("modules.json", modules));
  // A preview has no such file, since its names have no hashes.
  const names: Record<string, string> | undefined = response.ok ? await response.json() : undefined;
  const page = location.pathname.slice(new URL("../", modules).pathname.length);
  const path = new URL(specifier, `site:///${page}`).pathname.slice(1);
  const file = names ? names[path] : path;
  if (file && /^\.{0,2}\//.test(specifier)) return new URL(file, modules).href;
  const url = packages()[specifier];
  if (url) return url;
  const known = [...Object.keys(packages()), ...Object.keys(names ?? {}).sort()].join(", ");
  throw new Error(`${specifier} is not available. A cell can import ${known}.`);
}
