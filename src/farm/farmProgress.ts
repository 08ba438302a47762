import { SingleBar } from "cli-progress";
import { duration } from "../engine/duration.js";

/** A rate, also one that is below one. */
const formatRate = (rate: number) => (rate < 9.5 ? String(Number(rate.toPrecision(1))) : rate.toFixed(0));

/** Tells on stderr how runs, or parts of one, come along: a bar on a terminal, otherwise a line now and then. */
export class FarmProgress {
  readonly #total: number;
  /** What they are called. */
  readonly #name: string;
  readonly #start = performance.now();
  readonly #bar: SingleBar | undefined;
  #failed = 0;
  /** Runs that have ended in this command, by host. */
  readonly #ended: Record<string, number> = {};
  #count = 0;
  #lastMessage = "";

  constructor(total: number, name: string) {
    this.#total = total;
    this.#name = name;
    if (!process.stderr.isTTY) return;
    this.#bar = new SingleBar({
      stream: process.stderr,
      format: "{bar} {said}",
      barsize: 24,
      hideCursor: true,
      // Ctrl-C is the command's.
      gracefulExit: false,
    });
    this.#bar.start(total, 0, { said: "starting" });
  }

  /** @param host whose worker ended it */
  addEnded(hasFailed: boolean, host?: string): void {
    this.#count++;
    if (host !== undefined) this.#ended[host] = (this.#ended[host] ?? 0) + 1;
    if (hasFailed) this.#failed++;
  }

  /**
   * @param remaining runs that have not ended
   * @param running those of them that a worker has, by host
   * @param idle why no worker has any, where none has
   */
  show(remaining: number, running: Record<string, number>, idle = "no worker has any"): void {
    const seconds = (performance.now() - this.#start) / 1000;
    const busy = Object.values(running).reduce((sum, count) => sum + count, 0);
    const rate = this.#count / seconds;
    const idleReason = busy === 0 && remaining > 0 ? `; ${idle}` : "";
    const speed =
      this.#count > 0
        ? `; ${formatRate(60 * rate)} ${this.#name} a minute, about ${duration(remaining / rate)} left`
        : "";
    const hosts = [...new Set([...Object.keys(this.#ended), ...Object.keys(running)])].sort();
    const hostTexts = hosts.map((host) => `${host} ${this.#ended[host] ?? 0} done, ${running[host] ?? 0} running`);
    const byHost = hosts.length > 1 ? `; ${hostTexts.join("; ")}` : "";
    const done = this.#total - remaining - this.#failed;
    const said = `${done} of ${this.#total} ${this.#name} done, ${busy} running, ${this.#failed} failed${idleReason}${speed}${byHost}`;
    if (this.#bar) this.#bar.update(this.#total - remaining, { said });
    else if (said !== this.#lastMessage) process.stderr.write(`${said}\n`);
    this.#lastMessage = said;
  }

  stop(): void {
    this.#bar?.stop();
  }
}
