import { basename, resolve } from "node:path";
import { ConfigError } from "../engine/config.js";
import { readLibrary } from "../host/node/project.js";
import { limitsFor } from "../report/html/embedLimits.js";
import { checkReplaceable } from "../runs/claimFolder.js";
import { writeFile } from "../runs/staging.js";
import { checkPath } from "../terminal/flags.js";
import { formatCount } from "../terminal/formatCount.js";

export interface ReportOptions {
  out: string;
  force?: boolean;
  json?: boolean;
  quiet?: boolean;
}

export async function report(folders: string[], options: ReportOptions): Promise<void> {
  const out = checkPath(options.out);
  if (!/\.html?$/i.test(out)) throw new ConfigError("out", out, "a file name that ends in .html");
  await checkReplaceable(out, options.force);
  const { openRunFolder } = await import("../runs/runFolder.js");
  const { embedRun } = await import("../report/html/embedRun.js");
  const { documentOf } = await import("../report/html/document.js");
  const names = runNames(folders);
  const limits = limitsFor(folders.length);
  const runs = [];
  for (const [i, folder] of folders.entries()) {
    if (!options.quiet) process.stderr.write(`reading ${folder}, ${i + 1} of ${folders.length}\n`);
    runs.push(await embedRun(await openRunFolder(folder), names[i], limits));
  }
  const title = runs.length === 1 ? names[0] : `${runs.length} runs`;
  const html = await documentOf(title, runs, [...(await readLibrary())]);
  const bytes = new TextEncoder().encode(html);
  await writeFile(out, bytes);
  const imageBytes = embeddedImages(html).reduce((sum, imageAddress) => sum + imageAddress.length, 0);
  if (options.json)
    process.stdout.write(
      `${JSON.stringify({ out, runs: names, bytes: bytes.length, pictureBytes: imageBytes }, null, 2)}\n`,
    );
  else if (!options.quiet)
    process.stdout.write(`${out}: ${formatCount(bytes.length)} bytes, ${formatCount(imageBytes)} of them images\n`);
}

/** Returns the data URLs of the images in a document. */
export function embeddedImages(html: string): string[] {
  return html.match(/data:image\/png;base64,[^"]*/g) ?? [];
}

/** Returns the names of runs: those of their folders, or the paths if two folders have the same name. */
function runNames(folders: string[]): string[] {
  const names = folders.map((folder) => basename(resolve(folder)));
  return names.map((name, i) => (names.indexOf(name) === names.lastIndexOf(name) ? name : folders[i]));
}
