import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, relative, resolve } from "node:path";
import { mustBe } from "../engine/quoted.js";
import { makeFolder } from "../runs/staging.js";
import { asSentence, Failure } from "../terminal/failure.js";
import { showLine } from "../terminal/progress.js";

/** Longest path of a socket in bytes. */
const maxSocketBytes = 103;

/** Milliseconds in which the server must end. */
const stopTimeout = 3000;

/** A redis-server of this command, on a Unix socket. It ends with the command, even if that is killed. */
export class RedisServer {
  readonly address: string;
  readonly #folder: string;
  #shell: ChildProcess | undefined;
  #isStopping = false;

  private constructor(folder: string, socket: string) {
    this.#folder = folder;
    this.address = `unix:${socket}`;
  }

  /**
   * Starts a server.
   * @param folder folder of its files
   * @throws Failure if it cannot be started
   */
  static async start(folder: string): Promise<RedisServer> {
    const path = join(folder, socketName);
    const [socket] = [path, resolve(path), relative(".", path)].sort((a, b) => a.length - b.length);
    const bytes = Buffer.byteLength(socket);
    if (bytes > maxSocketBytes) {
      const sentence = mustBe("The path of a socket", `at most ${maxSocketBytes} bytes long`, bytes);
      throw new Failure(`${sentence} Choose a shorter --out.`);
    }
    await makeFolder(folder);
    const server = new RedisServer(folder, socket);
    await server.#start();
    return server;
  }

  async #start(): Promise<void> {
    const options = ["--port", "0", "--unixsocket", socketName, "--unixsocketperm", "700", "--dir", this.#folder];
    const persistence = ["--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"];
    // The shell ends the server when its third pipe closes, which also happens when this process is killed. A separate
    // session keeps Ctrl-C of the terminal away from both.
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
    // If the server is killed, such as for lack of memory, it is restarted. Its log has all jobs.
    shell.on("exit", () => {
      if (this.#isStopping) return;
      this.#start().catch((error: Error) => showLine(error.message));
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const shell = this.#shell!;
    if (shell.exitCode !== null || shell.signalCode !== null) return;
    const exited = once(shell, "exit");
    shell.stdio[3]!.destroy();
    // A server that hangs is killed.
    const killTimer = setTimeout(() => process.kill(-shell.pid!, "SIGKILL"), stopTimeout);
    await exited;
    clearTimeout(killTimer);
  }
}

const socketName = "redis.socket";

const watchScript = '"$@" & server=$!; (read -r _ <&3; kill $server 2>/dev/null) & exec 3<&-; wait $server';

function startError(exitCode: number | null, output: string): string {
  if (exitCode === 127) {
    return "--workers needs redis-server. Install the package redis-server (Debian, Ubuntu) or redis (other systems).";
  }
  const lines = output.trim().split("\n");
  return asSentence(`redis-server could not be started: ${lines.at(-1) || `exit code ${exitCode}`}`);
}
