import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";

const mimeTypes: Record<string, string> = {
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
  ".wasm": "application/wasm",
  ".webp": "image/webp",
  ".wgsl": "text/wgsl; charset=utf-8",
  ".woff2": "font/woff2",
};

export interface StaticServer {
  /** Without a final slash. */
  origin: string;
  close(): Promise<void>;
}

/**
 * Serves a folder on 127.0.0.1, on a free port, as a static web host would: /a is also a.html or a/index.html, every
 * response has the headers of the file _headers, and range requests are supported.
 * @param source the folder, or a promise of it; requests wait for it, and get its error
 * @param edit changes the HTML of pages
 * @param subPath serves the folder below this path only, and as the simplest hosts do: by exact names, without headers
 */
export async function serve(
  source: string | Promise<string>,
  edit = (html: string): string => html,
  subPath?: string,
): Promise<StaticServer> {
  const folder = Promise.resolve(source).catch((error: Error) => error);
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const servedFolder = await folder;
    if (servedFolder instanceof Error) {
      response.writeHead(500, { "content-type": "text/plain" }).end(servedFolder.message);
      return;
    }
    const isBelow = pathname.startsWith(`${subPath ?? ""}/`);
    const path = decodeURIComponent(pathname.slice(subPath?.length ?? 0));
    const file = isBelow ? findFile(servedFolder, path, subPath === undefined) : undefined;
    if (file === undefined) {
      const page = isBelow && findFile(servedFolder, "404.html", false);
      response.writeHead(404, { "content-type": `text/${page ? "html" : "plain"}` });
      response.end(page ? await readFile(page) : `no such file: ${pathname}\n`);
      return;
    }
    const fileBytes = await readFile(file);
    const fullContent = extname(file) === ".html" ? Buffer.from(edit(fileBytes.toString())) : fileBytes;
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const content = start === undefined ? fullContent : fullContent.subarray(Number(start), Number(end) + 1);
    response.writeHead(start === undefined ? 200 : 206, {
      "content-length": content.length,
      ...(start !== undefined && { "content-range": `bytes ${start}-${end}/${fullContent.length}` }),
      ...(subPath === undefined && headersOf(servedFolder)),
      "content-type": mimeTypes[extname(file)] ?? "application/octet-stream",
      // A file with a hash in its name never changes.
      ...(/\.[0-9a-f]{8}\./.test(file) && { "cache-control": "max-age=31536000, immutable" }),
    });
    response.end(content);
  });
  await new Promise<void>((done, fail) => server.once("error", fail).listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

/** Returns the headers that _headers lists for all paths. */
function headersOf(folder: string): Record<string, string> {
  const file = findFile(folder, "_headers", false);
  const [pattern, ...lines] = file === undefined ? ["/*"] : readFileSync(file, "utf8").trimEnd().split("\n");
  if (pattern !== "/*") throw new Error(`_headers must start with /* (got ${pattern}).`);
  return Object.fromEntries(lines.map((line) => line.trim().split(": ")));
}

function findFile(folder: string, pathname: string, addsExtension: boolean): string | undefined {
  const path = join(folder, normalize(pathname));
  if (path !== folder && !path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
  return [path, ...(addsExtension ? [`${path}.html`] : []), join(path, "index.html")].find((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
}
