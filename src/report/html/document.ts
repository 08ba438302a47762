import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { SweepTable } from "../../engine/files/sweepFile.js";
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
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(unpack)} ${hashOf(script)}`,
    // Placeholders of htl; see src/site/sitePolicy.js.
    `script-src-attr 'unsafe-hashes' ${Array.from({ length: 20 }, (_, i) => hashOf(`::${i + 1}`)).join(" ")}`,
    // Charts contain style elements.
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default unpack",
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
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

function hashOf(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
