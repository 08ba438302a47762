// What scripts need to look at a site in a browser of a host that has no packages, or of this one.
import { type Browser, chromium } from "playwright-core";

/** The folder of the built site: SITE, or one that is built now. */
export async function siteFolder(): Promise<string> {
  return process.env.SITE ?? (await import("./site.js")).buildSite();
}

/** The browser CHROMIUM, with the FLAGS by which it finds this machine's GPU, or that of the page tests. */
export async function startHostBrowser(): Promise<Browser> {
  const { CHROMIUM, FLAGS = "" } = process.env;
  if (CHROMIUM) return chromium.launch({ executablePath: CHROMIUM, args: FLAGS.split(" ").filter(Boolean) });
  return (await import("./browser.js")).startBrowser((options) => chromium.launch(options));
}
