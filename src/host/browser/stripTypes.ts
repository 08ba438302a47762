/** TypeScript as JavaScript: its types taken out, each line where it was. */
export async function stripTypes(source: string): Promise<string> {
  // As Framework's own libraries come, in one module: split into its packages it does not load in a browser.
  const { transform }: typeof import("sucrase") = await import("npm:sucrase");
  return transform(source, { transforms: ["typescript"], disableESTransforms: true, keepUnusedImports: true }).code;
}
