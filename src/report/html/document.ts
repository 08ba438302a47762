import { frameFile, runFiles } from "../../engine/files/runFiles.js";
import type { RunRecord } from "../../engine/files/runRecord.js";
import type { SweepTable } from "../../engine/files/sweepFile.js";
import type { Image } from "../../engine/image/image.js";
import { reduceImage } from "../../engine/image/reduce.js";
import { hashOf, policy, policyText } from "../../host/node/contentPolicy.js";
import type { FileLink } from "../files.js";
import { readReport } from "../report.js";
import { type ReportWithFiles, reportsOf } from "../reports.js";
import { followBundle, reportStyle } from "./documentBundle.js";
import { escapeHtml } from "./escapeHtml.js";
import { imageAddress, longestSide, staticHtml } from "./staticHtml.js";

/** The parts of a page. */
interface Page {
  title: string;
  /** HTML in the main element. */
  main: string;
  /** HTML above it, in a page that follows runs. */
  head?: string;
}

/** Returns the HTML of a page with the styles of reports and a policy of its own. Only a page that follows runs has a script. */
export async function pageOf({ title, main, head }: Page): Promise<string> {
  const [style, script] = await Promise.all([reportStyle(), head === undefined ? "" : followBundle()]);
  const pagePolicy = {
    "default-src": policy["default-src"],
    ...(script && { "script-src": [hashOf(script)], "connect-src": ["'self'"] }),
    // Charts contain style elements.
    "style-src": ["'unsafe-inline'"],
    "img-src": ["data:", ...(script && ["'self'"])],
    "base-uri": policy["base-uri"],
    "form-action": policy["form-action"],
    "require-trusted-types-for": policy["require-trusted-types-for"],
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
<div id="observablehq-center">${head ?? ""}<main id="observablehq-main" class="observablehq">${main}</main></div>
${script && `<script type="module">${script}</script>\n`}</body>
</html>
`;
}

/** Returns the HTML of one or more runs as a file without scripts: text, SVG and images. It makes no requests. */
export async function documentOf(
  title: string,
  runs: readonly RunToEmbed[],
  { sweep, head }: { sweep?: SweepTable; head?: string } = {},
): Promise<string> {
  const addresses = new Map(runs.flatMap((run) => [...run.addresses]));
  const main = await staticHtml(() => reportsOf(title, runs, sweep), addresses);
  return pageOf({ title, main, head });
}

/** A run to embed, with the data URLs of its images and files. */
export interface RunToEmbed extends ReportWithFiles {
  addresses: Map<Image["data"], string>;
}

/** Most bytes of the files that a report has. */
const maxFileBytes = 500_000;

/**
 * Reads a run to embed. Large images are reduced, and files that would make the report large are left out.
 * @param runs the number of runs in the report
 * @throws Failure if the run has no report
 */
export async function runToEmbed(run: RunRecord, name: string, runs = 1): Promise<RunToEmbed> {
  const read = await readReport(run);
  const [target, render] = [read.target, read.render].map((image) => reduceImage(image, longestSide));
  const addresses = new Map<Image["data"], string>();
  for (const [image, original, file] of [
    [target, read.target, runFiles.target],
    [render, read.render, runFiles.render],
    ...read.film.map(({ image, step }) => [image, image, frameFile(step)] as const),
  ] as const)
    addresses.set(image.data, await imageAddress(image, image === original ? await run.file(file) : undefined));
  const files: FileLink[] = [];
  let room = maxFileBytes / runs;
  for (const file of [runFiles.description, runFiles.metrics, runFiles.parameters, runFiles.gradients]) {
    const bytes = await run.file(file);
    room -= bytes.length;
    if (room < 0) break;
    const href = `data:application/octet-stream;base64,${Buffer.from(bytes).toString("base64")}`;
    files.push({ name: file, bytes: bytes.length, href });
  }
  return { report: { ...read, name, target, render }, files, addresses };
}
