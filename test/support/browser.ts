import { existsSync, readdirSync } from "node:fs";
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions, Page } from "playwright-core";
import { hasPackagedChromium, unpackChromium } from "./chromium.js";
import { missingLibraries, missingLibrariesSentence } from "./sharedLibraries.js";
import { watchShift } from "./shift.js";
import { fastCompileFlag } from "./softwareAdapter.js";

/** Without any of these, the canvas stays blank or the GPU process dies. */
const softwareWebGpuFlags = [
  "--headless=new",
  "--no-sandbox",
  "--enable-unsafe-webgpu",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  "--use-angle=swiftshader",
  "--use-webgpu-adapter=swiftshader",
  `--${fastCompileFlag}`,
];
const quietFlags = [
  "--disable-gpu-compositing",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // No other machine can be resolved.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Returns launch options for a headless browser with WebGPU: on Linux the npm package's, on a software adapter. */
function packagedBrowser(): LaunchOptions {
  const { executable, launcher, libraries, fontconfig } = unpackChromium();
  const env: Record<string, string | undefined> = { ...process.env };
  if (missingLibraries(executable).length > 0) {
    const missing = missingLibraries(executable, libraries);
    if (missing.length > 0) throw new Error(missingLibrariesSentence("The headless browser", missing));
    env.LD_LIBRARY_PATH = [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  }
  // Without fonts, pages crash.
  if (!systemHasFonts()) env.FONTCONFIG_FILE = fontconfig;
  return { executablePath: launcher, args: [...softwareWebGpuFlags, ...quietFlags], env: env as never };
}

/**
 * Starts a headless browser with WebGPU: on Linux the npm package's, elsewhere the installed Chrome or Edge. Node does not
 * exit before it is closed.
 * @param start starts it with playwright
 */
export async function startBrowser<T>(start: (options: LaunchOptions) => Promise<T>): Promise<T> {
  if (hasPackagedChromium) return start(packagedBrowser());
  const args = [...quietFlags, "--enable-unsafe-webgpu"];
  for (const channel of ["chrome", "msedge"]) {
    try {
      return await start({ channel, args });
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

/** A page with its complaints and its requests to other machines. */
export interface WatchedPage {
  page: Page;
  /** Errors and warnings of the console, and uncaught exceptions, as "type: text". */
  complaints: string[];
  /** URLs of requests to other machines, which the policy forbids. */
  foreignRequests: string[];
}

/** Milliseconds of a wait after which something hangs, even on a slow machine. */
export const deadline = 4 * 60_000;

/** Options of `newContext`. */
export interface ContextOptions {
  /** Base of paths, such as a server's origin. */
  origin?: string;
  /** false removes WebGPU from the pages. */
  webgpu?: boolean;
  /** Runs in each page before its own scripts. */
  script?: string;
  /** Whether the test violates the pages' policy on purpose. */
  allowsViolations?: boolean;
  /** Size of the screen, touch, a dark theme and so on. */
  emulation?: BrowserContextOptions;
}

/** Violations of the pages' policy, as reported on the console. */
export const violations: string[] = [];
const violation = /Content Security Policy|Content-Security-Policy|Trusted(HTML|Script)|TrustedTypePolicy/;

/** Returns a new context without stored data. */
export async function newContext(
  browser: Browser,
  { origin, webgpu = true, script, allowsViolations = false, emulation }: ContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    acceptDownloads: true,
    viewport: { width: 1280, height: 900 },
    // Animations would change figures during a test.
    reducedMotion: "reduce",
    ...(origin && { baseURL: origin }),
    ...emulation,
  });
  context.setDefaultTimeout(deadline);
  if (!allowsViolations) {
    context.on("console", (message) => {
      if (violation.test(message.text())) violations.push(`${message.page()?.url()}: ${message.text()}`);
    });
  }
  await context.addInitScript(watchShift);
  if (!webgpu) await context.addInitScript("delete Navigator.prototype.gpu");
  if (script) await context.addInitScript(script);
  return context;
}

/** What the pages of a test file complain of and request, unless a test has removed it because it expects it. */
export const watchedPages: Omit<WatchedPage, "page">[] = [];

/** Opens an address in a new page of a context, and records its complaints, which fail the test file. */
export async function watchPage(context: BrowserContext, address: string): Promise<WatchedPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreignRequests: string[] = [];
  watchedPages.push({ complaints, foreignRequests });
  page.on("console", (message) => {
    const text = message.text();
    if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${text}`);
    // The console reports them, and watching each of a page's hundreds of requests is slow.
    if (text.includes("ERR_NAME_NOT_RESOLVED")) foreignRequests.push(message.location().url);
    const [, refused] = /'(https?:[^']*)' violates the following Content Security Policy/.exec(text) ?? [];
    if (refused) foreignRequests.push(refused);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.stack ?? error.message}`));
  await page.goto(address, { waitUntil: "load" });
  return { page, complaints, foreignRequests };
}
