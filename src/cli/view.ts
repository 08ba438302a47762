import { spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
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
  if (open) openBrowser(address);
}

/** Opens an address in the browser, if this machine has a screen. */
function openBrowser(address: string): void {
  const { platform, env } = process;
  if (platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY) return;
  const commands: Record<string, string[]> = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] };
  const [command, ...args] = commands[platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  // The address has been printed.
  child.on("error", () => {});
  child.unref();
}
