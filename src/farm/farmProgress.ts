import type { SingleBar } from "cli-progress";
import { duration } from "../engine/duration.js";
import { newBar, pinLines } from "../terminal/progress.js";

/** Formats a rate, with a digit after the point if it is below 1. */
const formatRate = (rate: number) => (rate < 9.5 ? String(Number(rate.toPrecision(1))) : rate.toFixed(0));

/** Progress of jobs on stderr: a bar on a terminal, otherwise a line at each change. */
export class FarmProgress {
  readonly #total: number;
  readonly #name: string;
  readonly #start = performance.now();
  /** Until `stop`. */
  #bar: SingleBar | undefined;
  #failed = 0;
  /** Jobs that have ended in this command, by host. */
  readonly #ended: Record<string, number> = {};
  #count = 0;
  #shown = 0;
  #lastMessage = "";

  constructor(total: number, name: string) {
    this.#total = total;
    this.#name = name;
    if (!process.stderr.isTTY) return;
    this.#bar = newBar("{text}", true);
    this.#bar.start(total, 0, { text: "starting" });
  }

  /** Shows lines above the bar of a terminal, instead of those before. */
  pin(lines: readonly string[]): void {
    if (!this.#bar) return;
    this.#bar.stop();
    pinLines(lines);
    this.#bar.start(this.#total, this.#shown, { text: this.#lastMessage || "starting" });
  }

  /** @param host host of the worker */
  addEnded(hasFailed: boolean, host?: string): void {
    this.#count++;
    if (host !== undefined) this.#ended[host] = (this.#ended[host] ?? 0) + 1;
    if (hasFailed) this.#failed++;
  }

  /**
   * @param remaining jobs that have not ended
   * @param running running jobs by host
   * @param idle why no job is running, if none is
   */
  show(remaining: number, running: Record<string, number>, idle = "no worker has a job"): void {
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
    const text = `${done} of ${this.#total} ${this.#name} done, ${busy} running, ${this.#failed} failed${idleReason}${speed}${byHost}`;
    this.#shown = this.#total - remaining;
    if (this.#bar) this.#bar.update(this.#shown, { text });
    else if (text !== this.#lastMessage) process.stderr.write(`${text}\n`);
    this.#lastMessage = text;
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }
}
