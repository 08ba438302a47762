import { deflateRawSync } from "node:zlib";
import type { SweepTable } from "../../engine/files/sweepFile.js";
import { hashOf, policy, policyText } from "../../host/node/contentPolicy.js";
import { type EmbeddedReports, reportOf } from "../embeddedRun.js";
import { reportsOf } from "../reports.js";
import { documentBundle } from "./documentBundle.js";
import { staticContent } from "./embedLimits.js";
import type { RunToEmbed } from "./embedRun.js";
import { escapeHtml } from "./escapeHtml.js";
import { staticHtml } from "./staticHtml.js";

/** The parts of a page. */
interface Page {
  title: string;
  /** HTML above the main element, in it, and at the end. */
  head?: string;
  main: string;
  data?: string;
  /** Modules in the page, and others that it may run. */
  scripts: readonly string[];
  allowed?: readonly string[];
  /** Whether the page may send requests to its own server. */
  isServed?: boolean;
}

/** Returns the HTML of a page with the styles of reports and a policy of its own. */
export async function pageOf({ title, head = "", main, data = "", scripts, allowed = [], isServed = false }: Page) {
  const { style } = await documentBundle();
  const own = isServed ? ["'self'"] : [];
  const pagePolicy = {
    "default-src": policy["default-src"],
    "script-src": [...scripts, ...allowed].map(hashOf),
    "script-src-attr": policy["script-src-attr"],
    // Charts contain style elements.
    "style-src": ["'unsafe-inline'"],
    "img-src": [...own, "data:", "blob:"],
    ...(isServed && { "connect-src": own }),
    "base-uri": policy["base-uri"],
    "form-action": policy["form-action"],
    "require-trusted-types-for": policy["require-trusted-types-for"],
    "trusted-types": [...policy["trusted-types"], "unpack"],
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyText(pagePolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="observablehq-center">${head}<main id="observablehq-main" class="observablehq">${main}</main></div>
${data}${scripts.map((script) => `<script type="module">${script}</script>\n`).join("")}</body>
</html>
`;
}

/** What a report may have. */
interface DocumentOptions {
  /** The sweep of which the run is the best: its table, and the file of the table. */
  sweep?: { table: SweepTable; bytes: Uint8Array };
  /** What `splatbook view` adds: HTML above the report, and a script. */
  live?: { head: string; script: string };
}

/**
 * Returns the HTML of a one-file report with its script, styles and data. It makes no requests. Its static content is
 * HTML, which the script replaces by interactive content. Script and data are compressed.
 */
export async function documentOf(
  title: string,
  runs: readonly RunToEmbed[],
  { sweep, live }: DocumentOptions = {},
): Promise<string> {
  const body = staticReports(title, runs, sweep?.table);
  const [{ unpack, script }, staticBody] = await Promise.all([documentBundle(), body]);
  const embedded: EmbeddedReports = {
    runs: runs.map(({ run }) => run),
    ...(sweep && { sweep: Buffer.from(sweep.bytes).toString("base64") }),
  };
  return pageOf({
    title,
    head: live?.head,
    main: `<div class="still">${staticBody}</div>`,
    data: `${packed("application/json", "held", JSON.stringify(embedded))}\n${packed("module", "report", script)}\n`,
    scripts: [unpack, ...(live ? [live.script] : [])],
    allowed: [script],
    isServed: live !== undefined,
  });
}

/** Returns a script element that src/report/unpack.ts inflates. */
function packed(type: string, id: string, text: string): string {
  const data = deflateRawSync(text, { level: 9 }).toString("base64");
  return `<script type="text/plain" data-type="${type}" id="${id}">${data}</script>`;
}

function staticReports(title: string, runs: readonly RunToEmbed[], sweep?: SweepTable): Promise<string> {
  const addressOf = new Map(
    runs.flatMap(({ images, addresses }) => [
      [images.target.data, addresses.target] as const,
      [images.render.data, addresses.render] as const,
      ...images.film.map(({ data }, i) => [data, addresses.film[i]] as const),
    ]),
  );
  const reports = runs.map(({ run, images }) => reportOf(run, images));
  return staticHtml(() => reportsOf(title, reports, sweep), addressOf, staticContent(runs.length).leavesOut);
}
