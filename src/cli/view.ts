import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { isFolder } from "../runs/claimFolder.js";
import { Failure } from "../terminal/failure.js";
import { showLine } from "../terminal/progress.js";
import { usualPort, type ViewOptions } from "./viewOptions.js";

/** Serves the view of a folder until the process ends. */
export async function view(folder: string, { port, host, open }: ViewOptions): Promise<void> {
  if (!(await isFolder(folder)))
    throw new Failure(`There is no folder ${folder}. Train a run first, or name another folder.`);
  const { serveView } = await import("./viewServer.js");
  const serve = (port: number) => serveView(resolve(folder), host, port);
  const served = await (port === undefined ? serve(usualPort).catch(() => serve(0)) : serve(port));
  process.stdout.write(`Live view of ${folder}: ${served.address}\n`);
  if (open) openBrowser(served.address);
  // The view that fit --open starts ends with it.
  process.once("disconnect", () => process.exit());
}

/** Opens an address in the browser, if this machine has a screen. */
function openBrowser(address: string): void {
  const { platform, env } = process;
  if (platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY) return;
  const commands: Partial<Record<NodeJS.Platform, string[]>> = {
    darwin: ["open"],
    win32: ["cmd", "/c", "start", ""],
  };
  const [command, ...args] = commands[platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  // The address has been printed.
  child.on("error", () => {});
  child.unref();
}

/** The live view of a run that is about to start, in a process of its own, which takes no time from training. */
export class ViewProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** Opens the view of a folder in the browser, and prints its address to stderr. */
  static async start(folder: string): Promise<ViewProcess> {
    // Ctrl-C first stops the training, and then the view.
    const child = spawn(process.execPath, [process.argv[1], "view", folder, "--open"], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      detached: true,
    });
    const lines = createInterface(child.stdout!);
    const [line] = await Promise.race([once(lines, "line"), once(child, "exit").then(() => [undefined])]);
    if (line === undefined) throw new Failure("The live view did not start.");
    showLine(line);
    return new ViewProcess(child);
  }

  /** Serves until Ctrl-C. */
  async untilInterrupted(): Promise<void> {
    showLine("The live view stays open. Press Ctrl-C to end it.");
    const interrupt = () => this.stop();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, interrupt);
    if (this.child.exitCode === null) await once(this.child, "exit");
  }

  stop(): void {
    this.child.kill();
  }
}
