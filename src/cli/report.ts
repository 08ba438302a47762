import { basename, join, resolve } from "node:path";
import { ConfigError } from "../engine/config.js";
import { valuesText } from "../engine/sweep/sweep.js";
import { checkOutput, isStdout, type OutputOptions, writeOutput } from "../runs/output.js";
import { usageFailure } from "../terminal/failure.js";
import { checkPath } from "../terminal/flags.js";
import { formatCount } from "../terminal/formatCount.js";
import { printLines } from "../terminal/streams.js";

export async function report(folders: string[], options: OutputOptions): Promise<void> {
  const { out } = options;
  if (!/\.html?$/i.test(checkPath(out)) && !isStdout(out)) {
    throw new ConfigError("out", out, "a file name that ends in .html, or - for stdout");
  }
  await checkOutput(options);
  const { openRunFolder } = await import("../runs/runFolder.js");
  const { documentOf, runToEmbed } = await import("../report/html/document.js");
  const { readSweepResults } = await import("../runs/sweepResults.js");
  const sweeps = await Promise.all(folders.map(readSweepResults));
  const sweep = sweeps.find((results) => results);
  if (sweep && folders.length > 1) throw usageFailure("A report has one sweep, or runs. Give the sweep alone.");
  const runFolders = sweep ? [join(folders[0], sweep.best.run)] : folders;
  const names = sweep ? [valuesText(sweep.table.sweep, sweep.best.values)] : runNames(folders);
  const runs = [];
  for (const [i, folder] of runFolders.entries()) {
    if (!options.quiet) printLines(`reading ${folder}, ${i + 1} of ${runFolders.length}`, "stderr");
    runs.push(await runToEmbed(await openRunFolder(folder), names[i], folders.length));
  }
  const title = sweep ? basename(resolve(folders[0])) : runs.length === 1 ? names[0] : `${runs.length} runs`;
  const html = await documentOf(title, runs, { sweep: sweep?.table });
  const bytes = new TextEncoder().encode(html);
  const imageBytes = embeddedImages(html).reduce((sum, imageAddress) => sum + imageAddress.length, 0);
  const facts = { runs: names, bytes: bytes.length, pictureBytes: imageBytes };
  const sentence = `${formatCount(bytes.length)} bytes, ${formatCount(imageBytes)} of them images`;
  await writeOutput(options, bytes, facts, sentence);
}

/** Returns the data URLs of the images in a document. */
export function embeddedImages(html: string): string[] {
  return html.match(/data:image\/(?:png|webp);base64,[^"]*/g) ?? [];
}

/** Returns the names of runs: those of their folders, or the paths if two folders have the same name. */
function runNames(folders: string[]): string[] {
  const names = folders.map((folder) => basename(resolve(folder)));
  return names.map((name, i) => (names.indexOf(name) === names.lastIndexOf(name) ? name : folders[i]));
}
