import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ListedRun } from "../engine/files/liveRun.js";
import { runFiles } from "../engine/files/runFiles.js";
import { headers } from "../host/node/contentPolicy.js";
import { refusal } from "../host/node/foreignRequest.js";
import { documentOf } from "../report/html/document.js";
import { followBundle } from "../report/html/documentBundle.js";
import { limitsFor } from "../report/html/embedLimits.js";
import { embedRun } from "../report/html/embedRun.js";
import { escapeHtml } from "../report/html/escapeHtml.js";
import { runTable, viewHead, viewPage } from "../report/html/viewPage.js";
import { listRuns } from "../runs/listRuns.js";
import { openRunFolder } from "../runs/runFolder.js";
import { candidatePaths } from "../runs/staging.js";
import { Failure, toFailure } from "../terminal/failure.js";

/** A live view that is being served. */
export interface ServedView {
  /** With a final slash. */
  address: string;
  close(): void;
}

/**
 * Serves a table of the runs below a folder, and their reports.
 * @param port any free port if 0
 * @throws Failure if the host or the port cannot be used
 */
export async function serveView(root: string, host: string, port: number): Promise<ServedView> {
  const known = new Map<string, ListedRun>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (type: string, text: string) =>
      response.writeHead(200, { "Content-Type": `text/${type}; charset=utf-8` }).end(text);
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    const runs = await listRuns(root, known);
    const isSingle = runs.length === 1 && runs[0].path === "." && !runs[0].description?.regions;
    const path = searchParams.get("run") ?? (isSingle ? "." : undefined);
    // Only paths of listed runs reach the disk. They are parameters, since browsers resolve dots in a path.
    const run = runs.find((run) => run.path === path);
    const stamp = path === undefined ? stampOf(runs) : (run?.stamp ?? "");
    if (pathname === "/stamp") send("plain", stamp);
    else if (pathname === "/" && path === undefined) {
      send("html", await viewPage("Runs", viewHead(stamp), runTable(root, runs)));
    } else if (pathname === "/" || pathname === "/report") {
      const name = path === "." ? basename(root) : (path ?? "");
      send("html", await reportPage(root, name, run, viewHead(stamp, path, run, !isSingle)));
    } else if (pathname === "/render" && run) {
      const [committed, own] = candidatePaths(join(root, run.path), runFiles.render);
      const png = await readFile(committed).catch(() => readFile(own));
      // The address changes with the image.
      response.writeHead(200, { "Content-Type": "image/png", "Cache-Control": "max-age=3600" }).end(png);
    } else refuse(response, 404, "There is no such page.");
  };

  const server = createServer((request, response) => {
    const rejection = refusal(request, host, "view");
    if (rejection) return refuse(response, ...rejection);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader("Cache-Control", "no-store");
    answer(request, response).catch((error) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, toFailure(error).message);
    });
    return undefined;
  });
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === "EADDRINUSE" ? `Port ${port} of ${host} is already in use; choose another one with --port.` : message;
    throw new Failure(reason);
  }
  const { port: usedPort } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(":") ? `[${host}]` : host}:${usedPort}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns what changes with any run. */
function stampOf(runs: readonly ListedRun[]): string {
  const stamps = JSON.stringify(runs.map(({ path, stamp }) => [path, stamp]));
  return createHash("sha256").update(stamps).digest("hex");
}

/** Returns the report of a run's last checkpoint, or a page with the reason if there is none. */
async function reportPage(root: string, name: string, run: ListedRun | undefined, head: string): Promise<string> {
  const sentence = (text: string) => viewPage(name, head, `<h1>${escapeHtml(name)}</h1><p>${escapeHtml(text)}</p>`);
  if (!run) return sentence("There is no such run in this folder.");
  if (!run.description) return sentence(run.error ?? "The run has no checkpoint yet.");
  // A checkpoint may replace the files while they are read.
  for (let attempts = 5; ; attempts--) {
    try {
      const embedded = await embedRun(await openRunFolder(join(root, run.path)), name, limitsFor(1));
      return await documentOf(name, [embedded], { live: { head, script: await followBundle() } });
    } catch (error) {
      if (attempts === 1 || run.description.regions) return sentence(toFailure(error).message);
      await wait(300);
    }
  }
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${reason}\n`);
}
