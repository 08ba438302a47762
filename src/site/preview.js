// @ts-check
// Framework's preview with the content security policy of the built site, for browsers on this machine only.
import { once } from "node:events";
import { get } from "node:http";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, stripVTControlCharacters } from "node:util";
import openBrowser from "open";
import { headers } from "../host/node/contentPolicy.js";
import { refusal } from "../host/node/foreignRequest.js";
import { withPolicy } from "./sitePolicy.js";

/** How Framework's client evaluates an edited cell, which the policy forbids. */
const evalSource = "eval: (body) => eval(body)";

/** The same by importing a module. Relative imports in it need absolute addresses. */
const importSource = `eval: (body) => {
  const text = body.replace(/\\bimport\\("(\\.[^"]*)"\\)/g, (_, path) => 'import("' + new URL(path, location) + '")');
  const client = new URL("/_observablehq/client.js", location);
  const url = URL.createObjectURL(new Blob(['import {define} from "' + client + '";\\n' + text], {type: "text/javascript"}));
  import(url).finally(() => URL.revokeObjectURL(url));
}`;

/**
 * Starts the preview, which runs until the process ends.
 * @param {string[]} args Framework's --host, --port and --no-open
 * @returns {Promise<number>} the exit code
 */
export async function preview(args) {
  const options = optionsOf(args);
  if (options === undefined) {
    process.stderr.write("npm start takes --host NAME, --port NUMBER and --no-open.\n");
    return 2;
  }
  const { host, open, "no-open": noOpen } = options;
  const port = options.port === undefined ? undefined : Number(options.port);
  const listenError = await findListenError(host, port);
  if (listenError !== undefined) {
    process.stderr.write(`${listenError}\n`);
    return 1;
  }
  await import("./noDownloads.js");
  muteMessages();
  const server = await startPreview({ hostname: host, port });
  const address = `http://${host}:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`;
  // Framework prepares what pages share at the first request.
  await new Promise((done) => get(address, (answer) => answer.resume().on("close", done)).on("error", done));
  process.stdout.write(`The lab is at ${address}\n`);
  if (open && !noOpen) await openBrowser(address);
  return 0;
}

/** Prints no messages between Framework's server and a page. */
function muteMessages() {
  const { log } = console;
  console.log = (...texts) => {
    const isMessage = /^(socket (open|close)|[↑↓])$/.test(stripVTControlCharacters(String(texts[0])));
    if (!isMessage) log(...texts);
  };
}

/**
 * Returns why a server cannot listen on a port, or undefined. Framework's server throws an error that cannot be caught.
 * @param {string} host
 * @param {number} port any free port if absent
 */
async function findListenError(host, port = 0) {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
    await new Promise((done) => server.close(done));
    return undefined;
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "EADDRINUSE") return `Port ${port} of ${host} is already in use; choose another one with --port.`;
    return `The preview cannot listen on ${host}: ${message.replace(/[.\s]*$/, "")}.`;
  }
}

/**
 * Starts Framework's preview behind `guard`.
 * @param {{hostname: string, port?: number, root?: string}} options Framework's own
 * @returns {Promise<import("node:http").Server>}
 */
export async function startPreview(options) {
  const framework = dirname(createRequire(import.meta.url).resolve("@observablehq/framework/package.json"));
  const { PreviewServer } = await import(pathToFileURL(join(framework, "dist", "preview.js")).href);
  const signals = /** @type {const} */ (["SIGHUP", "SIGINT", "SIGTERM"]);
  const listenersBefore = signals.map((name) => process.listeners(name));
  const { server } = await PreviewServer.start({ ...options, open: false, verbose: false });
  // Framework's telemetry ends the process at a signal even when it is off.
  for (const [i, name] of signals.entries()) {
    for (const listener of process.listeners(name))
      if (!listenersBefore[i].includes(listener)) process.off(name, listener);
  }
  guard(server, options.hostname);
  return server;
}

/** @param {string[]} args */
function optionsOf(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        host: { type: "string", default: "127.0.0.1" },
        port: { type: "string" },
        open: { type: "boolean", default: true },
        "no-open": { type: "boolean" },
      },
    });
    const isPort = values.port === undefined || (/^\d{1,5}$/.test(values.port) && Number(values.port) < 65536);
    return isPort ? values : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Restricts Framework's server to requests from its own pages, and adds the policy of the built site to each page.
 * @param {import("node:http").Server} server
 * @param {string} host the host that it listens on
 */
function guard(server, host) {
  const [handleRequest] = /** @type {import("node:http").RequestListener[]} */ (server.listeners("request"));
  const [handleUpgrade] = /** @type {((...args: any[]) => void)[]} */ (server.listeners("upgrade"));
  server.removeAllListeners("request").removeAllListeners("upgrade");
  server.on("request", (request, response) => {
    const rejection = refusal(request, host, "preview");
    if (rejection !== undefined) {
      const [status, reason] = rejection;
      response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${reason}\n`);
      return;
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const end = response.end.bind(response);
    response.end = /** @type {typeof end} */ (
      /** @param {any[]} endArguments */ (...endArguments) => {
        const [content] = endArguments;
        const isPage = typeof content === "string" && /^text\/html/.test(String(response.getHeader("Content-Type")));
        if (!isPage) return Reflect.apply(end, response, endArguments);
        // Framework computed the tag before the policy was added.
        response.removeHeader("ETag");
        return end(withPolicy(content.replace(evalSource, () => importSource)));
      }
    );
    // The listener is asynchronous, and an uncaught error, such as of a broken configuration, would end the process.
    Promise.resolve(handleRequest(request, response)).catch((error) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" }).end(`${error.message}\n`);
    });
  });
  server.on("upgrade", (request, socket, head) => {
    // Without a listener, the error of a broken connection ends the process.
    socket.on("error", () => socket.destroy());
    const isOwn = request.url === "/_observablehq" && request.headers.origin !== undefined;
    if (isOwn && refusal(request, host, "preview") === undefined) handleUpgrade(request, socket, head);
    else socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
}
