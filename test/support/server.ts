import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { findSiteFile, sendFile } from "../../src/host/node/staticFiles.js";

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
    if (extname(file) !== ".html") return void (await sendFile([file], request, response));
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(edit(await readFile(file, "utf8")));
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
