/** Removes the types from TypeScript, and keeps the line numbers. */
export async function stripTypes(source: string): Promise<string> {
  // Framework bundles npm: imports into one module. The package's separate modules do not load in a browser.
  const { transform }: typeof import("sucrase") = await import("npm:sucrase");
  return transform(source, { transforms: ["typescript"], disableESTransforms: true, keepUnusedImports: true }).code;
}
