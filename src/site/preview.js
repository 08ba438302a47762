// @ts-check
// Framework's preview under the policy of the built site, for this machine's own browser alone.
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer, isIP } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { headers, withPolicy } from "./sitePolicy.js";

/** Framework's own way to take in a cell that was edited, which the policy forbids. */
const evalSource = "eval: (body) => eval(body)";

/** The same by a module, from which the paths of the page's imports have to be told in full. */
const importSource = `eval: (body) => {
  const text = body.replace(/\\bimport\\("(\\.[^"]*)"\\)/g, (_, path) => 'import("' + new URL(path, location) + '")');
  const client = new URL("/_observablehq/client.js", location);
  const url = URL.createObjectURL(new Blob(['import {define} from "' + client + '";\\n' + text], {type: "text/javascript"}));
  import(url).finally(() => URL.revokeObjectURL(url));
}`;

/**
 * Starts the preview, which goes on until the process is ended.
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
  await import("./noRequests.js");
  await startPreview({ hostname: host, port, open: open && !noOpen });
  return 0;
}

/**
 * Why nothing can listen there, as a sentence, if so: of that Framework's own server throws an error which nobody can catch.
 * @param {string} host
 * @param {number} port any free one if absent
 */
async function findListenError(host, port = 0) {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
    await new Promise((done) => server.close(done));
    return undefined;
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "EADDRINUSE") return `Port ${port} of ${host} is in use already; choose another one with --port.`;
    return `The preview cannot listen on ${host}: ${message.replace(/[.\s]*$/, "")}.`;
  }
}

/**
 * Starts Framework's preview behind `guard`.
 * @param {{hostname: string, port?: number, open: boolean, root?: string, verbose?: boolean}} options Framework's own
 * @returns {Promise<import("node:http").Server>}
 */
export async function startPreview(options) {
  const framework = dirname(createRequire(import.meta.url).resolve("@observablehq/framework/package.json"));
  const { PreviewServer } = await import(pathToFileURL(join(framework, "dist", "preview.js")).href);
  const signals = /** @type {const} */ (["SIGHUP", "SIGINT", "SIGTERM"]);
  const listenersBefore = signals.map((name) => process.listeners(name));
  const { server } = await PreviewServer.start(options);
  // Framework's telemetry, which is off, answers a signal by ending the process, even one with listeners of its own.
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
 * Lets a server of Framework's answer its own pages alone, each under the policy of the built site.
 * @param {import("node:http").Server} server
 * @param {string} host what it listens on
 */
function guard(server, host) {
  const [handleRequest] = /** @type {import("node:http").RequestListener[]} */ (server.listeners("request"));
  const [handleUpgrade] = /** @type {((...args: any[]) => void)[]} */ (server.listeners("upgrade"));
  server.removeAllListeners("request").removeAllListeners("upgrade");
  server.on("request", (request, response) => {
    const rejection = refusal(request, host);
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
        // Its tag is that of the page without its policy.
        response.removeHeader("ETag");
        return end(withPolicy(content.replace(evalSource, () => importSource)));
      }
    );
    // The listener is asynchronous. An error that it leaves, such as of a broken configuration, would end the process.
    Promise.resolve(handleRequest(request, response)).catch((error) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { "Content-Type": "text/plain; charset=utf-8" }).end(`${error.message}\n`);
    });
  });
  server.on("upgrade", (request, socket, head) => {
    // A connection that breaks is an error, which ends the process where nothing listens for it.
    socket.on("error", () => socket.destroy());
    const isOwn = request.url === "/_observablehq" && request.headers.origin !== undefined;
    if (isOwn && refusal(request, host) === undefined) handleUpgrade(request, socket, head);
    else socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
}

/**
 * Returns why a request is not answered, as a status and a sentence, if it is not: an address that Framework cannot
 * read would end its process. A page of another site may give its own name this machine's address (DNS rebinding); of
 * addresses themselves, and of localhost, it cannot do so.
 * @param {import("node:http").IncomingMessage} request
 * @param {string} host
 * @returns {[status: number, why: string] | undefined}
 */
function refusal({ url = "", headers: { host: requestHost = "", origin } }, host) {
  if (!isReadable(url)) return [400, "This address cannot be read."];
  const name = requestHost.replace(/:\d+$/, "");
  const isOwn = ["localhost", host].includes(name) || isIP(name.replace(/^\[(.*)\]$/, "$1")) > 0;
  if (!isOwn) {
    return [403, `This preview answers to localhost and ${host}, not to ${name || "a request without a host"}.`];
  }
  if (origin !== undefined && origin !== `http://${requestHost}`) {
    return [403, `This preview does not answer pages of ${origin}.`];
  }
  return undefined;
}

/**
 * Returns whether Framework can read the address of a request, which it does in this way.
 * @param {string} address
 */
function isReadable(address) {
  try {
    decodeURI(new URL(address, "http://localhost").pathname);
    return true;
  } catch {
    return false;
  }
}
