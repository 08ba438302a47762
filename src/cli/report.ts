import { basename, resolve } from "node:path";
import { ConfigError } from "../engine/config.js";
import { readLibrary } from "../host/node/project.js";
import { limitsFor } from "../report/html/embedLimits.js";
import { checkOutput, isStdout, type OutputOptions, writeOutput } from "../runs/output.js";
import { checkPath } from "../terminal/flags.js";
import { formatCount } from "../terminal/formatCount.js";

export async function report(folders: string[], options: OutputOptions): Promise<void> {
  const { out } = options;
  if (!/\.html?$/i.test(checkPath(out)) && !isStdout(out)) {
    throw new ConfigError("out", out, "a file name that ends in .html, or - for stdout");
  }
  await checkOutput(options);
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
  const imageBytes = embeddedImages(html).reduce((sum, imageAddress) => sum + imageAddress.length, 0);
  const facts = { runs: names, bytes: bytes.length, pictureBytes: imageBytes };
  const sentence = `${formatCount(bytes.length)} bytes, ${formatCount(imageBytes)} of them images`;
  await writeOutput(options, bytes, facts, sentence);
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
