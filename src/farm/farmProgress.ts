import { duration } from "../engine/duration.js";
import { endBar, showBar } from "../terminal/progress.js";

/** Formats a rate, with a digit after the point if it is below 1. */
const formatRate = (rate: number) => (rate < 9.5 ? String(Number(rate.toPrecision(1))) : rate.toFixed(0));

/** Progress of jobs on stderr: a bar on a terminal, otherwise a line at each change. */
export class FarmProgress {
  readonly #start = performance.now();
  #failed = 0;
  /** Jobs that have ended in this command, by host; "" if no worker has reported a result. */
  readonly #ended: Record<string, number> = {};
  #note: string | undefined;
  #text = "";

  constructor(
    readonly total: number,
    readonly name: string,
  ) {}

  /**
   * @param host host of the worker
   * @param note shown from now on
   */
  addEnded(hasFailed: boolean, host = "", note?: string): void {
    this.#note = note;
    this.#ended[host] = (this.#ended[host] ?? 0) + 1;
    if (hasFailed) this.#failed++;
  }

  /**
   * @param remaining jobs that have not ended
   * @param running running jobs by host
   * @param idle why no job is running, if none is
   */
  show(remaining: number, running: Record<string, number>, idle = "no worker has a job"): void {
    const { total, name } = this;
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0);
    const [busy, ended] = [sum(running), sum(this.#ended)];
    const rate = (1000 * ended) / (performance.now() - this.#start);
    const hosts = [...new Set([...Object.keys(this.#ended), ...Object.keys(running)])].filter(Boolean).sort();
    const texts = [
      `${total - remaining - this.#failed} of ${total} ${name} done, ${busy} running, ${this.#failed} failed`,
      ...(busy === 0 && remaining > 0 ? [idle] : []),
      ...(ended > 0 ? [`${formatRate(60 * rate)} ${name} a minute, about ${duration(remaining / rate)} left`] : []),
      ...(this.#note === undefined ? [] : [this.#note]),
      ...(hosts.length > 1
        ? hosts.map((host) => `${host} ${this.#ended[host] ?? 0} done, ${running[host] ?? 0} running`)
        : []),
    ];
    const text = texts.join("; ");
    if (process.stderr.isTTY) showBar(1 - remaining / total, text);
    else if (text !== this.#text) process.stderr.write(`${text}\n`);
    this.#text = text;
  }

  stop(): void {
    endBar(false);
  }
}
