import type { AddressInfo } from "node:net";
import openBrowser from "open";
import { isFolder } from "../runs/claimFolder.js";
import { Failure } from "../terminal/failure.js";
import { printLines } from "../terminal/streams.js";

/** Options of `splatbook view`. */
export interface ViewOptions {
  port?: number;
  host: string;
  open?: boolean;
}

/** Serves the view of a folder until the process ends. */
export async function view(folder: string, { port, host, open }: ViewOptions): Promise<void> {
  if (!(await isFolder(folder)))
    throw new Failure(`There is no folder ${folder}. Train a run first, or name another folder.`);
  const { serveView } = await import("./viewServer.js");
  const server = await serveView(folder, host, port ?? 4100).catch((error) => {
    if (port !== undefined) throw error;
    return serveView(folder, host, 0);
  });
  const { port: usedPort } = server.address() as AddressInfo;
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${usedPort}/`;
  printLines(`Live view of ${folder}: ${address}`);
  // Without a browser, the printed address is enough.
  if (open) (await openBrowser(address)).on("error", () => {});
}
