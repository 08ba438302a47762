import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { startBrowser } from "./browser.js";
import { serve } from "./server.js";
import { buildSite } from "./site.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where playwright connects to the browser. */
    browser: string;
    /** Origin of the built site, without a slash at its end. */
    site: string;
  }
}

/** Builds the site once for all page tests, while other tests run, and starts their one browser. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await serve(buildSite());
  const browser = await startBrowser((options) => chromium.launchServer(options));
  provide("browser", browser.wsEndpoint());
  provide("site", server.origin);
  return async () => {
    await browser.close();
    await server.close();
  };
}
