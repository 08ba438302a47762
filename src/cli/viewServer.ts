import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { basename, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ListedRun } from "../engine/files/liveRun.js";
import { runFiles } from "../engine/files/runFiles.js";
import { headers } from "../host/node/contentPolicy.js";
import { refusal } from "../host/node/foreignRequest.js";
import { documentOf, pageOf, runToEmbed } from "../report/html/document.js";
import { escapeHtml } from "../report/html/escapeHtml.js";
import { runTable, viewHead } from "../report/html/viewPage.js";
import { listRuns } from "../runs/listRuns.js";
import { openRunFolder, readRunFile } from "../runs/runFolder.js";
import { Failure, toFailure } from "../terminal/failure.js";

/**
 * Serves a table of the runs below a folder, and their reports. The ETag of a page changes with what it shows.
 * @param port any free port if 0
 * @throws Failure if the host or the port cannot be used
 */
export async function serveView(folder: string, host: string, port: number): Promise<Server> {
  const root = resolve(folder);
  const known = new Map<string, ListedRun>();
  const answer = async ({ url, method }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(url!, "http://localhost");
    const asked = searchParams.get("run");
    const runs = await listRuns(root, known, asked ?? undefined);
    const isSingle = runs[0]?.path === "." && !runs[0].description?.regions;
    const path = asked ?? (isSingle ? "." : undefined);
    // Only paths of listed runs reach the disk. They are parameters, since browsers resolve dots in a path.
    const run = runs.find((run) => run.path === path);
    if (pathname === "/render" && run) {
      const png = await readRunFile(join(root, run.path), runFiles.render);
      // The address changes with the image.
      response.writeHead(200, { "Content-Type": "image/png", "Cache-Control": "max-age=3600" }).end(png);
    } else if (pathname === "/") {
      const stamp = stampOf(path === undefined ? runs : run ? [run] : []);
      const page = async () => {
        const head = viewHead(stamp, path, run);
        if (path === undefined) return pageOf({ title: "Runs | splatbook", head, main: runTable(root, runs) });
        return reportPage(root, path === "." ? basename(root) : path, run, head);
      };
      const html = method === "HEAD" ? "" : await page();
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", ETag: stamp }).end(html);
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
    throw new Failure(`Port ${port} of ${host} cannot be used: ${toFailure(error).message}`);
  }
  return server;
}

/** Returns an ETag that changes with any run. */
function stampOf(runs: readonly ListedRun[]): string {
  const stamps = JSON.stringify(runs.map(({ path, stamp }) => [path, stamp]));
  return `"${createHash("sha256").update(stamps).digest("hex")}"`;
}

/** Returns the report of a run's last checkpoint, or a page with the reason if there is none. */
async function reportPage(root: string, name: string, run: ListedRun | undefined, head: string): Promise<string> {
  const sentence = (text: string) =>
    pageOf({ title: `${name} | splatbook`, head, main: `<h1>${escapeHtml(name)}</h1><p>${escapeHtml(text)}</p>` });
  if (!run) return sentence("There is no such run in this folder.");
  if (!run.description) return sentence(run.error ?? "The run has no checkpoint yet.");
  // A checkpoint may replace the files while they are read.
  for (let attempts = 5; ; attempts--) {
    try {
      return await documentOf(name, [await runToEmbed(await openRunFolder(join(root, run.path)), name)], { head });
    } catch (error) {
      if (attempts === 1 || run.description.regions) return sentence(toFailure(error).message);
      await wait(300);
    }
  }
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${reason}\n`);
}
