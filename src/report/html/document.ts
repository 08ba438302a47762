import { deflateRawSync } from "node:zlib";
import type { SweepTable } from "../../engine/files/sweepFile.js";
import { hashOf, policy, policyText } from "../../host/node/contentPolicy.js";
import { type EmbeddedReports, reportOf } from "../embeddedRun.js";
import { reportsOf } from "../reports.js";
import type { OpenEngine } from "../rerun.js";
import { documentBundle } from "./documentBundle.js";
import { staticContent } from "./embedLimits.js";
import type { RunToEmbed } from "./embedRun.js";
import { pngAddress, staticHtml } from "./staticHtml.js";

/** A sweep in a one-file report: its table, and the file of the table. */
export interface SweepToEmbed {
  table: SweepTable;
  bytes: Uint8Array;
}

/**
 * Returns the HTML of a one-file report with its script, styles and data. It makes no requests. Its static content is
 * HTML, which the script replaces by interactive content. Script and data are compressed.
 * @param sweep the sweep of which the run is the best
 */
export async function documentOf(
  title: string,
  runs: readonly RunToEmbed[],
  shaders: EmbeddedReports["shaders"],
  sweep?: SweepToEmbed,
): Promise<string> {
  const body = staticReports(title, runs, sweep?.table);
  const [{ unpack, script, style }, staticBody] = await Promise.all([documentBundle(), body]);
  const kernels = shaders
    .filter(([path]) => !/^(learn|bench)\//.test(path))
    .map(([path, text]): [string, string] => [path, withoutComments(text)]);
  const embedded: EmbeddedReports = {
    runs: runs.map(({ run }) => run),
    ...(sweep && { sweep: Buffer.from(sweep.bytes).toString("base64") }),
    shaders: kernels,
  };
  const documentPolicy = {
    "default-src": policy["default-src"],
    "script-src": [hashOf(unpack), hashOf(script)],
    "script-src-attr": policy["script-src-attr"],
    // Charts contain style elements.
    "style-src": ["'unsafe-inline'"],
    "img-src": ["data:", "blob:"],
    "base-uri": policy["base-uri"],
    "form-action": policy["form-action"],
    "require-trusted-types-for": policy["require-trusted-types-for"],
    "trusted-types": [...policy["trusted-types"], "unpack"],
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyText(documentPolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="observablehq-center"><main id="observablehq-main" class="observablehq"><div class="still">${staticBody}</div></main></div>
${packed("application/json", "held", JSON.stringify(embedded))}
${packed("module", "report", script)}
<script type="module">${unpack}</script>
</body>
</html>
`;
}

/** Returns a script element that src/report/unpack.ts inflates. */
function packed(type: string, id: string, text: string): string {
  const data = deflateRawSync(text, { level: 9 }).toString("base64");
  return `<script type="text/plain" data-type="${type}" id="${id}">${data}</script>`;
}

/** The engine of static HTML, in which no button works. */
export const noEngine: OpenEngine = () => Promise.reject(new Error("Static pages cannot train."));

function staticReports(title: string, runs: readonly RunToEmbed[], sweep?: SweepTable): Promise<string> {
  const addresses = runs.flatMap(({ images, files }) => [
    [images.target.data, pngAddress(files.target)] as const,
    [images.render.data, pngAddress(files.render)] as const,
    ...images.film.map(({ data }, i) => [data, pngAddress(files.film[i])] as const),
  ]);
  const reports = runs.map(({ run, images }) => reportOf(run, images));
  return staticHtml(
    () => reportsOf(title, reports, noEngine, sweep),
    new Map(addresses),
    staticContent(runs.length).leavesOut,
  );
}

/** Returns a kernel's source without comment lines, since a report does not show it. */
function withoutComments(kernel: string): string {
  return kernel.replace(/^\s*\/\/.*\n/gm, "");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
