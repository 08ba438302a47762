import type { TestProject } from "vitest/node";
import { serve } from "./server.js";
import { buildSite } from "./site.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** Origin of the built site, without a final slash. */
    site: string;
  }
}

/** Each project loads this module, but the site is built once. */
const builds = globalThis as { splatbookSite?: Promise<string> };

/** Builds the site once for all page tests, while other tests run, and serves it. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  builds.splatbookSite ??= buildSite();
  const server = await serve(builds.splatbookSite);
  provide("site", server.origin);
  return () => server.close();
}
