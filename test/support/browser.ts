import { existsSync, readdirSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { hasPackagedChromium, unpackChromium } from "./chromium.js";
import { missingLibraries, missingLibrariesSentence } from "./sharedLibraries.js";

/** With fewer of these the canvas stays blank, or the GPU process dies. */
const softwareWebGpu = [
  "--headless=new",
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  "--use-angle=swiftshader",
  "--use-webgpu-adapter=swiftshader",
];
const quiet = [
  "--disable-gpu-compositing",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Options of `launchBrowser`. */
export interface BrowserOptions {
  /** false starts a browser that has navigator.gpu but no adapter. */
  webgpu?: boolean;
}

/**
 * Starts a headless browser with WebGPU: on Linux the one that comes through npm, on a software adapter; elsewhere the
 * installed Chrome or Edge. Close it at the end of the tests, or Node does not exit.
 */
export async function launchBrowser({ webgpu = true }: BrowserOptions = {}): Promise<Browser> {
  const without = webgpu ? [] : ["--disable-features=WebGPUService", "--disable-gpu"];
  if (hasPackagedChromium) {
    const { executable, libraries, fontconfig } = unpackChromium();
    const env: Record<string, string | undefined> = { ...process.env };
    if (missingLibraries(executable).length > 0) {
      const missing = missingLibraries(executable, libraries);
      if (missing.length > 0) throw new Error(missingLibrariesSentence("The headless browser", missing));
      env.LD_LIBRARY_PATH = [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(":");
    }
    // Without any font the browser's pages crash.
    if (!systemHasFonts()) env.FONTCONFIG_FILE = fontconfig;
    const gpu = webgpu ? softwareWebGpu : ["--headless=new", "--no-sandbox"];
    return chromium.launch({ executablePath: executable, args: [...gpu, ...quiet, ...without], env: env as never });
  }
  const args = [...quiet, ...without, ...(webgpu ? ["--enable-unsafe-webgpu"] : [])];
  for (const channel of ["chrome", "msedge"]) {
    try {
      return await chromium.launch({ channel, args });
    } catch (error) {
      if (!/is not found|isn't installed|Executable doesn't exist/.test(String(error))) throw error;
    }
  }
  throw new Error("The page tests need Google Chrome or Microsoft Edge; install one of them.");
}

function systemHasFonts(): boolean {
  const folders = ["/usr/share/fonts", "/usr/local/share/fonts"].filter((folder) => existsSync(folder));
  return existsSync("/etc/fonts/fonts.conf") && folders.some((folder) => readdirSync(folder).length > 0);
}

/** A page, with what it complained of and whom it asked. */
export interface WatchedPage {
  page: Page;
  /** Errors and warnings of the console, and uncaught exceptions, as "type: text". */
  complaints: string[];
  /** URLs asked for outside the page's own origin; they are refused. */
  foreign: string[];
}

/**
 * Opens a URL in a fresh context, so nothing that another page stored is there.
 * @param script runs in the page before its own, such as "delete Navigator.prototype.gpu"
 */
export async function openPage(browser: Browser, url: string, script?: string): Promise<WatchedPage> {
  const context = await browser.newContext({ acceptDownloads: true, viewport: { width: 1280, height: 900 } });
  if (script) await context.addInitScript(script);
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.stack ?? error.message}`));
  const { origin } = new URL(url);
  await context.route(
    (asked) => asked.origin !== origin && ["http:", "https:"].includes(asked.protocol),
    (route) => {
      foreign.push(route.request().url());
      return route.abort();
    },
  );
  await page.goto(url, { waitUntil: "load" });
  return { page, complaints, foreign };
}
