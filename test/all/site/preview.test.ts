import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { headers } from "../../../src/host/node/contentPolicy.js";
import { startPreview } from "../../../src/site/preview.js";
import { withPolicy } from "../../../src/site/sitePolicy.js";
import { temporaryFolder } from "../../cli/command.js";

const root = temporaryFolder();
const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};

describe("the preview", () => {
  const fetchOfNode = globalThis.fetch;
  let server: Server;
  let port: number;
  beforeAll(async () => {
    writeFileSync(join(root, "index.md"), "# Here\n\n```js\n1 + 1\n```\n");
    await import("../../../src/site/noDownloads.js");
    // Framework looks for its configuration from here.
    const folder = relative(process.cwd(), root);
    server = await startPreview({ hostname: "127.0.0.1", port: 0, root: folder });
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    globalThis.fetch = fetchOfNode;
    server.closeAllConnections();
    server.close();
  });

  const ask = (path: string, sent: Record<string, string> = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request({ host: "127.0.0.1", port, path, headers: sent, agent: false });
      asked.on("response", resolve).on("error", reject);
      asked.on("upgrade", (response, socket) => {
        socket.destroy();
        resolve(response);
      });
      asked.end();
    });

  it("adds the policy of the built site to its pages, and updates edited cells without evaluating text", async () => {
    const answer = await ask("/");
    const html = await text(answer);
    assert.equal(answer.statusCode, 200);
    for (const [name, value] of Object.entries(headers)) assert.equal(answer.headers[name.toLowerCase()], value, name);
    const policyOf = (page: string) => /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)?.[1];
    const withoutHashes = (page: string) => policyOf(page)?.replace(/ 'sha256-[^']*'/g, "");
    assert.ok(policyOf(html)?.includes("require-trusted-types-for 'script'; trusted-types default"));
    assert.equal(withoutHashes(html), withoutHashes(withPolicy('<meta charset="utf-8">')));
    assert.match(html, /open\(\{hash: "[0-9a-f]+", eval: \(body\) => \{/);
    assert.doesNotMatch(html, /eval\(/);
  });

  it("serves only this machine's names and its host, and no page of another origin", async () => {
    // A missing file is faster to answer than a page.
    const status = async (sent: Record<string, string>) => (await ask("/_file/none", sent)).statusCode;
    for (const host of ["localhost", `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      assert.equal(await status({ host }), 404, host);
      assert.equal(await status({ host, origin: `http://${host}` }), 404, host);
      assert.equal(await status({ host, origin: "http://evil.example" }), 403, host);
      assert.equal(await status({ host, origin: "null" }), 403, host);
    }
    const refused = await ask("/", { host: `evil.example:${port}` });
    assert.equal(refused.statusCode, 403);
    assert.equal(await text(refused), "This preview serves localhost and 127.0.0.1, not evil.example.\n");
    assert.equal(await status({ host: "localhost.evil.example" }), 403);
  });

  it("survives invalid addresses, broken connections and a broken configuration", async () => {
    const ends: Error[] = [];
    const ended = (error: Error) => ends.push(error);
    process.on("uncaughtExceptionMonitor", ended);
    const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
    const answerTo = async (path: string) => {
      const socket = connect(port, "127.0.0.1");
      socket.write(`${head(path)}Connection: close\r\n\r\n`);
      return (await text(socket)).split("\r\n")[0];
    };
    for (const path of ["/%ff", "/_file/%e0%a4%a", "//", "//:", "//a:99999999/", "http://[::1"]) {
      assert.equal(await answerTo(path), "HTTP/1.1 400 Bad Request", path);
    }
    const asked = connect(port, "127.0.0.1");
    asked.write(`${head("/_observablehq")}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    const [, upgraded] = await once(server, "upgrade");
    asked.resetAndDestroy();
    await new Promise((done) => upgraded.on("close", done));
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const config = join(root, "observablehq.config.js");
    writeFileSync(config, 'throw new Error("A broken configuration");\n');
    const answer = await ask("/");
    assert.deepEqual([answer.statusCode, await text(answer)], [500, "A broken configuration\n"]);
    rmSync(config);
    log.mockRestore();
    assert.equal(await answerTo("/"), "HTTP/1.1 200 OK");
    process.off("uncaughtExceptionMonitor", ended);
    assert.deepEqual(ends, []);
  });

  it("sends changes only to its own pages", async () => {
    const status = async (sent: Record<string, string>, path = "/_observablehq") =>
      (await ask(path, { ...upgrade, ...sent })).statusCode;
    assert.equal(await status({ origin: `http://127.0.0.1:${port}` }), 101);
    assert.equal(await status({ origin: "http://evil.example" }), 403);
    assert.equal(await status({ origin: "http://evil.example", host: "evil.example" }), 403);
    assert.equal(await status({}), 403);
    // The errors of another connection would have no listener.
    assert.equal(await status({ origin: `http://127.0.0.1:${port}` }, "/"), 403);
  });

  it("fetches no package on demand", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const answer = await ask("/_npm/lodash@4.17.21/_esm.js");
    assert.equal(answer.statusCode, 500);
    assert.match(await text(answer), /^https:\S+ is not downloaded\. Install the package/);
    logged.mockRestore();
    log.mockRestore();
  });
});
