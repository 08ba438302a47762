// Site and browser for scripts that also run on a host without packages.
import { type Browser, chromium } from "playwright-core";

/** Returns the folder of the built site: SITE, or a new build. */
export async function siteFolder(): Promise<string> {
  return process.env.SITE ?? (await import("./site.js")).buildSite();
}

/** Starts the browser CHROMIUM with FLAGS, or that of the page tests. */
export async function startHostBrowser(): Promise<Browser> {
  const { CHROMIUM, FLAGS = "" } = process.env;
  if (CHROMIUM) return chromium.launch({ executablePath: CHROMIUM, args: FLAGS.split(" ").filter(Boolean) });
  return (await import("./browser.js")).startBrowser((options) => chromium.launch(options));
}
