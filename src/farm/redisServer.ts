import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, relative, resolve } from "node:path";
import { makeFolder } from "../runs/staging.js";
import { Failure } from "../terminal/failure.js";

/** Bytes that the path of a socket may have. */
const maxSocketBytes = 103;

/** Milliseconds that it may take to end. */
const stopTimeout = 3000;

/** A redis-server of this command's own, on a socket, which ends with the command, however that ends. */
export class RedisServer {
  /** For `connect`. */
  readonly address: string;
  readonly #folder: string;
  #shell: ChildProcess | undefined;
  #isStopping = false;

  private constructor(folder: string, socket: string) {
    this.#folder = folder;
    this.address = `unix:${socket}`;
  }

  /**
   * @param folder where it keeps its files
   * @throws Failure if it cannot be started
   */
  static async start(folder: string): Promise<RedisServer> {
    const path = join(folder, socketName);
    const [socket] = [path, resolve(path), relative(".", path)].sort((a, b) => a.length - b.length);
    if (Buffer.byteLength(socket) > maxSocketBytes) {
      throw new Failure(`${socket} is too long for a socket's path, ${maxSocketBytes} bytes; choose a shorter --out.`);
    }
    await makeFolder(folder);
    const server = new RedisServer(folder, socket);
    await server.#start();
    return server;
  }

  async #start(): Promise<void> {
    const options = ["--port", "0", "--unixsocket", socketName, "--unixsocketperm", "700", "--dir", this.#folder];
    const persistence = ["--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"];
    // The shell ends the server when its third pipe closes, as it does when this process is killed. A session of their
    // own keeps a terminal's Ctrl-C from them.
    const shell = spawn("sh", ["-c", watchScript, "sh", "redis-server", ...options, ...persistence], {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#shell = shell;
    let output = "";
    const isReady = new Promise<boolean>((resolveReady) => {
      shell.on("error", (error) => {
        output = error.message;
        resolveReady(false);
      });
      shell.on("close", () => resolveReady(false));
      for (const stream of [shell.stdout!, shell.stderr!]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output = (output + text).slice(-5000);
          if (/ready to accept connections/i.test(output)) resolveReady(true);
        });
      }
    });
    shell.on("exit", () => shell.stdio[3]!.destroy());
    if (!(await isReady)) throw new Failure(startError(shell.exitCode, output));
    // It may be killed, as by a system that is short of memory; its log has all of the jobs.
    shell.on("exit", () => {
      if (this.#isStopping) return;
      this.#start().catch((error: Error) => process.stderr.write(`${error.message}\n`));
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const shell = this.#shell!;
    if (shell.exitCode !== null || shell.signalCode !== null) return;
    const exited = once(shell, "exit");
    shell.stdio[3]!.destroy();
    // One that hangs hears no request to end.
    const killTimer = setTimeout(() => process.kill(-shell.pid!, "SIGKILL"), stopTimeout);
    await exited;
    clearTimeout(killTimer);
  }
}

const socketName = "redis.socket";

const watchScript = '"$@" & server=$!; (read -r _ <&3; kill $server 2>/dev/null) & exec 3<&-; wait $server';

function startError(exitCode: number | null, output: string): string {
  if (exitCode === 127) {
    return "redis-server, which --workers needs, is not installed; the package redis-server brings it on Debian and Ubuntu, redis elsewhere.";
  }
  const lines = output.trim().split("\n");
  return `redis-server could not be started: ${lines.at(-1)?.replace(/[.\s]*$/, "") || `exit code ${exitCode}`}.`;
}
