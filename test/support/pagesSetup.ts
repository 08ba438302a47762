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
const ended = new AbortController();

/**
 * Builds the site once for all page tests, while other tests run, and serves it. If no test has waited for the build, it
 * ends with the tests, since this process exits only after it.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  builds.splatbookSite ??= buildSite(ended.signal);
  const server = await serve(builds.splatbookSite);
  provide("site", server.origin);
  return () => {
    ended.abort();
    return server.close();
  };
}
