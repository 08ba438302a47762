// `npm run thumbnails [PAGE…]`: takes the thumbnails of the main figures of all pages, or of the named pages.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium, type Locator, type Page } from "playwright-core";
import sharp from "sharp";
import { pagesWithThumbnail, thumbnailOf } from "../src/components/page/pages.js";
import { newContext, startBrowser, watchPage } from "./support/browser.js";
import { serve } from "./support/server.js";
import { buildSite } from "./support/site.js";

/** The figure of a page's thumbnail. */
interface Shot {
  /** Appended to the page's address. */
  query?: string;
  /** Actions before the screenshot. */
  ready?: (page: Page) => Promise<void>;
  figure: (page: Page) => Locator;
  /** Width of the screenshot in CSS pixels, from the figure's left. */
  across?: number;
}

const job = "picture=astronaut&size=96&blobs=300&steps=300&learningRate=0.02&pipeline=cpu";
const isDone = (page: Page) => page.locator('.run-bar[data-state="done"]').waitFor();
const sweep = "size=48&blobs=40&steps=20&vary=learningRate%3D0.003..0.3x5&vary=blobs%3D10,20,40,80";

/** Returns the first drawing of the figure with a title. */
const drawing = (title: string) => (page: Page) =>
  page.locator("figure", { hasText: title }).locator("svg[class^=plot], .learn-scroll svg, :scope > svg").first();
const within = (selector: string) => (page: Page) => page.locator(selector).first();

/** The figures of pages with a thumbnail other than their first figure. */
const shots: Record<string, Shot> = {
  "learn/index": { figure: within(".cards"), across: 760 },
  "learn/blob": { figure: within(".blob-images"), across: 760 },
  "learn/workgroups": { figure: within(".target-map") },
  "learn/tiles": { query: job, ready: isDone, figure: within(".tile-columns") },
  "learn/sorting": { figure: drawing("The comparison network") },
  "learn/blending": {
    ready: (page) => page.getByRole("slider", { name: "Layers blended" }).fill("4"),
    figure: within("figure:has-text('Front to back and back to front') .learn-columns > *"),
  },
  "learn/undo": {
    query: job,
    ready: isDone,
    figure: within("figure:has-text('Caching every state') .undo-sides"),
    across: 460,
  },
  // A finished run shows little.
  "learn/reduction": {
    query: job.replace("steps=300", "steps=30"),
    ready: isDone,
    figure: within(".reduction-source"),
  },
  "learn/gradients": { query: job, ready: isDone, figure: drawing("Loss of a pixel along one raw parameter") },
  "learn/adam": { query: job, ready: isDone, figure: within(".trace-charts") },
  "learn/step": { figure: drawing("The three parallel algorithms of a step"), across: 760 },
  "learn/realtime": { figure: drawing("Recorded times") },
  index: { query: job, ready: isDone, figure: (page) => page.locator(".triptych.is-live") },
  kernels: { figure: within(".cm-editor") },
  sweep: {
    query: sweep,
    ready: async (page) => {
      await page.getByRole("button", { name: "Start", exact: true }).click();
      await page.locator('.sweep-bar[data-state="done"]').waitFor();
    },
    figure: within("main svg[aria-label*=' by ']"),
  },
  compare: { figure: within("svg[aria-label^='PSNR against']") },
  quality: { figure: drawing("Cumulative ablation") },
  performance: { figure: drawing("Time of a step by version") },
  "reports/index": { figure: within(".run-index") },
};

const size = { width: 320, height: 200 };

const asked = process.argv.slice(2);
const unknown = asked.find((path) => !pagesWithThumbnail.includes(path));
if (unknown) throw new Error(`${unknown} has no thumbnail. Pages with a thumbnail: ${pagesWithThumbnail.join(", ")}.`);

// The build needs a thumbnail of each page.
const blank = await sharp({ create: { ...size, channels: 3, background: "#808080" } })
  .webp()
  .toBuffer();
for (const path of pagesWithThumbnail) if (!existsSync(fileOf(path))) await writeFile(fileOf(path), blank);
const server = await serve(await buildSite());
const browser = await startBrowser((options) => chromium.launch(options));
try {
  for (const path of asked.length > 0 ? asked : pagesWithThumbnail) {
    await writeFile(fileOf(path), await take(path, shots[path] ?? { figure: within("figure") }));
    console.log(`${fileURLToPath(fileOf(path))} has been written.`);
  }
} finally {
  await browser.close();
  await server.close();
}

function fileOf(path: string): URL {
  return new URL(`../src/${thumbnailOf(path)}`, import.meta.url);
}

/** Returns a figure in the light theme above the same one in the dark theme. */
async function take(path: string, { query = "", ready, figure, across = 520 }: Shot): Promise<Buffer> {
  const context = await newContext(browser, {
    origin: server.origin,
    webgpu: false,
    emulation: { viewport: { width: 800, height: 900 } },
  });
  const { page } = await watchPage(context, `/${path.replace(/index$/, "")}?${query}`);
  await ready?.(page);
  const target = figure(page);
  // Playwright would wait until the figure stops being redrawn.
  await target.evaluate((node) => node.scrollIntoView({ block: "center", behavior: "instant" }));
  // Figures are drawn shortly after they come into view.
  await page.waitForTimeout(2500);
  await target.evaluate((node) => node.closest(".learn-scroll")?.scrollTo(0, 0));
  const views: Buffer[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(500);
    const screenshot = sharp(await target.screenshot());
    const { width, height } = await screenshot.metadata();
    const part = {
      left: 0,
      top: 0,
      width: Math.min(width, across),
      height: Math.min(height, Math.round((across * size.height) / size.width)),
    };
    const fitted = { ...size, fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } } as const;
    views.push(
      await sharp(await screenshot.extract(part).png().toBuffer())
        .resize(fitted)
        .ensureAlpha()
        .raw()
        .toBuffer(),
    );
  }
  await context.close();
  const both = sharp(Buffer.concat(views), { raw: { width: size.width, height: 2 * size.height, channels: 4 } });
  return both.webp({ quality: 60, effort: 6 }).toBuffer();
}
