import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
 * Serves a folder on 127.0.0.1, on a free port, as a static web host would: /a is also a.html or a/index.html, and every
 * response has the headers of the file _headers.
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
    const file = isBelow ? findSiteFile(servedFolder, path, subPath === undefined) : undefined;
    if (file === undefined) {
      const page = isBelow && findSiteFile(servedFolder, "404.html", false);
      response.writeHead(404, { "content-type": `text/${page ? "html" : "plain"}` });
      response.end(page ? await readFile(page) : `no such file: ${pathname}\n`);
      return;
    }
    const siteHeaders = subPath === undefined ? headersOf(servedFolder) : {};
    // A file with a hash in its name never changes.
    if (/\.[0-9a-f]{8}\./.test(file)) siteHeaders["cache-control"] = "max-age=31536000, immutable";
    for (const [name, value] of Object.entries(siteHeaders)) response.setHeader(name, value);
    response.setHeader("content-type", contentTypes[extname(file)] ?? "application/octet-stream");
    response.end(extname(file) === ".html" ? edit(await readFile(file, "utf8")) : await readFile(file));
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
  const file = findSiteFile(folder, "_headers", false);
  const [pattern, ...lines] = file === undefined ? ["/*"] : readFileSync(file, "utf8").trimEnd().split("\n");
  if (pattern !== "/*") throw new Error(`_headers must start with /* (got ${pattern}).`);
  return Object.fromEntries(lines.map((line) => line.trim().split(": ")));
}

/**
 * Returns the file of a built site at an address; undefined if there is none.
 * @param pathname decoded; of a folder, its index.html
 * @param addsExtension whether /a is also a.html, as on most static hosts
 */
function findSiteFile(folder: string, pathname: string, addsExtension = true): string | undefined {
  const path = join(folder, normalize(pathname));
  if (path !== folder && !path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
  return [path, ...(addsExtension ? [`${path}.html`] : []), join(path, "index.html")].find((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
}
