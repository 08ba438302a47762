import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { maxNotesLength, type RunChange, readNotes } from "../engine/files/liveRun.js";
import { filmFolder, notesFile, runFiles } from "../engine/files/runFiles.js";
import { headers, policy, policyText } from "../host/node/contentPolicy.js";
import { refusal } from "../host/node/foreignRequest.js";
import { projectRoot } from "../host/node/install.js";
import { readLibrary } from "../host/node/project.js";
import { findSiteFile, sendFile } from "../host/node/staticFiles.js";
import { liveBundle } from "../report/html/documentBundle.js";
import { RunFeed } from "../runs/runFeed.js";
import { candidatePaths, writeFile } from "../runs/staging.js";
import { Failure, toFailure } from "../terminal/failure.js";

/** A live view that is being served. */
export interface ServedView {
  /** With a final slash. */
  address: string;
  close(): void;
}

/** An answer other than a run's file: type and text. */
type Page = () => Promise<[type: string, text: string]>;

/** Names of the files of a run that are served. */
const isRunFile = (name: string) =>
  (Object.values(runFiles) as string[]).includes(name) || new RegExp(`^${filmFolder}/\\d+\\.png$`).test(name);

/** The path of the built site. */
const sitePath = "/notebook/";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Runs | splatbook</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="live.css">
</head>
<body>
<div id="observablehq-center"><main id="observablehq-main" class="observablehq"></main></div>
<script type="module" src="live.js"></script>
</body>
</html>
`;

/**
 * Serves the live view of the runs below a folder.
 * @param port any free port if 0
 * @param site the built site, which is served too if it exists: that of this checkout
 * @throws Failure if the host or the port cannot be used
 */
export async function serveView(
  root: string,
  host: string,
  port: number,
  site = join(projectRoot, "dist"),
): Promise<ServedView> {
  const followers = new Set<ServerResponse>();
  const send = (change: RunChange) => {
    for (const follower of followers) follower.write(`data: ${JSON.stringify(change)}\n\n`);
  };
  const feed = await RunFeed.open(root, send);
  let bundle: ReturnType<typeof liveBundle> | undefined;
  const bundled = () => {
    bundle ??= liveBundle();
    return bundle;
  };
  const pages: Record<string, Page> = {
    "/": async () => ["text/html", page],
    "/live.js": async () => ["text/javascript", (await bundled()).script],
    "/live.css": async () => ["text/css", (await bundled()).style],
    "/runs.json": async () => {
      const notebook = existsSync(join(site, "index.html")) ? sitePath.slice(1) : undefined;
      return ["application/json", JSON.stringify({ root, notebook, runs: [...feed.runs.values()] })];
    },
    "/shaders.json": async () => ["application/json", JSON.stringify([...(await readLibrary())])],
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    const [run, file] = [searchParams.get("run") ?? "", searchParams.get("file") ?? ""];
    // Only paths of known runs reach the disk. They are parameters, since browsers resolve dots in a path.
    const folder = feed.runs.has(run) ? join(root, run) : undefined;
    if (request.method === "POST") {
      if (folder && pathname === "/notes") await saveNotes(folder, request, response);
      else refuse(response, 404, "There is no such file.");
    } else if (pages[pathname]) {
      const [type, content] = await pages[pathname]();
      response.writeHead(200, { "Content-Type": `${type}; charset=utf-8` }).end(content);
    } else if (pathname === "/events") {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write("retry: 500\n\n");
      followers.add(response);
      response.on("close", () => followers.delete(response));
    } else if (pathname.startsWith(sitePath)) {
      // Each page of the site has a policy of its own.
      response.setHeader("Content-Security-Policy", headers["Content-Security-Policy"]);
      const path = findSiteFile(site, decodeURIComponent(pathname.slice(sitePath.length)));
      if (!path || !(await sendFile([path], request, response))) refuse(response, 404, "There is no such page.");
    } else if (folder && pathname === "/file" && isRunFile(file)) {
      const isSent = await sendFile(candidatePaths(folder, file), request, response);
      if (!isSent) refuse(response, 404, `There is no ${file}.`);
    } else refuse(response, 404, "There is no such file.");
  };

  const server = createServer((request, response) => {
    const rejection = refusal(request, host, "view");
    if (rejection) return refuse(response, ...rejection);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const { "Content-Security-Policy": frames } = headers;
    response.setHeader("Content-Security-Policy", `${policyText(policy)}; ${frames}`);
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
    feed.close();
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === "EADDRINUSE" ? `Port ${port} of ${host} is already in use; choose another one with --port.` : message;
    throw new Failure(reason);
  }
  const { port: usedPort } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(":") ? `[${host}]` : host}:${usedPort}/`,
    close() {
      feed.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${reason}\n`);
}

/** Writes notes from the view's own page. A form of another site cannot send JSON, and browsers add its origin. */
async function saveNotes(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { origin, "content-type": type, "content-length": length } = request.headers;
  if (origin === undefined || type !== "application/json") {
    return refuse(response, 403, "Notes are taken from the page of this view only.");
  }
  if (!(Number(length) <= 4 * maxNotesLength)) return refuse(response, 413, "These notes are too long.");
  let notes: ReturnType<typeof readNotes>;
  try {
    notes = readNotes(await text(request));
  } catch (error) {
    return refuse(response, 400, (error as Error).message);
  }
  await writeFile(join(folder, notesFile), new TextEncoder().encode(`${JSON.stringify(notes, null, 2)}\n`));
  response.writeHead(204).end();
}
