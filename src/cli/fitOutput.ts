import type { Alert } from "../engine/training/alerts.js";
import { showLine } from "../terminal/progress.js";
import { printLines } from "../terminal/streams.js";
import type { FitOptions } from "./fitOptions.js";

/** What `fit` prints to stdout: sentences, one JSON object, or a line of JSON for each event. */
export class FitOutput {
  constructor(readonly options: Pick<FitOptions, "json" | "jsonLines" | "quiet">) {}

  /** Prints an event with --json-lines. */
  line(event: string, facts: object): void {
    if (this.options.jsonLines) print(JSON.stringify({ event, ...facts }));
  }

  /**
   * Prints an alert to stderr, and as an event.
   * @param run facts about the run
   */
  alert(run: { out: string; image: string }, alert: Alert): void {
    this.line("alert", { ...run, ...alert });
    if (!this.options.quiet) showLine(alert.sentence, "yellow");
  }

  /** Prints the end of a run. */
  end(facts: object, sentence?: string): void {
    const { json, jsonLines, quiet } = this.options;
    this.line("result", facts);
    if (json) print(JSON.stringify(facts, null, 2));
    else if (sentence !== undefined && !jsonLines && !quiet) printLines(sentence);
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
