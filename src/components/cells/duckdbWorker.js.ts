// The worker of DuckDB. The site's policy does not apply in it, so it loses the means of requesting anything but files of
// its own folder. Extensions and foreign files would come from other origins.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const guard = `{
  const { fetch } = self;
  const folder = new URL("./", location.href).href;
  self.fetch = (address) => {
    const { href } = new URL(address.url ?? address, folder);
    return href.startsWith(folder) ? fetch(href) : Promise.reject(new TypeError(href + " is not a file of this site."));
  };
  for (const name of ["EventSource", "WebSocket", "WebSocketStream", "WebTransport", "Worker", "XMLHttpRequest"]) delete self[name];
  self.importScripts = undefined;
}
`;

const { resolve } = createRequire(import.meta.url);
const worker = readFileSync(resolve("@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js"), "utf8");
process.stdout.write(guard + worker.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, "\n"));
