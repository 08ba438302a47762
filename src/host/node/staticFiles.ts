import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const contentTypes: Record<string, string> = {
  ".arrow": "application/vnd.apache.arrow.file",
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webp": "image/webp",
  ".wgsl": "text/wgsl; charset=utf-8",
  ".woff2": "font/woff2",
};

/** Returns the content type of a file by the end of its name. */
export function contentTypeOf(name: string): string {
  return contentTypes[extname(name)] ?? "application/octet-stream";
}

/**
 * Returns the file of a built site at an address; undefined if there is none.
 * @param pathname decoded; of a folder, its index.html
 * @param addsExtension whether /a is also a.html, as on most static hosts
 */
export function findSiteFile(folder: string, pathname: string, addsExtension = true): string | undefined {
  const path = join(folder, normalize(pathname));
  if (path !== folder && !path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
  return [path, ...(addsExtension ? [`${path}.html`] : []), join(path, "index.html")].find((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
}

/**
 * Sends the first of some files of the same name that exists, or the range of it that is asked for.
 * @returns false if there is none
 */
export async function sendFile(
  paths: readonly string[],
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const file = await openFirst(paths);
  if (!file) return false;
  const { size } = await file.stat();
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  const isRange = first !== undefined && Number(first) <= Number(last) && Number(first) < size;
  const [start, end] = isRange ? [Number(first), Math.min(Number(last), size - 1)] : [0, size - 1];
  response.writeHead(isRange ? 206 : 200, {
    "Content-Type": contentTypeOf(paths[0]),
    "Content-Length": end - start + 1,
    ...(isRange && { "Content-Range": `bytes ${start}-${end}/${size}` }),
  });
  if (method === "HEAD" || size === 0) {
    await file.close();
    response.end();
    return true;
  }
  const stream = file.createReadStream({ start, end });
  stream.on("error", () => response.destroy());
  response.on("close", () => stream.destroy());
  stream.pipe(response);
  return true;
}

async function openFirst(paths: readonly string[]): Promise<FileHandle | undefined> {
  for (const path of paths) {
    try {
      return await open(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return undefined;
}
