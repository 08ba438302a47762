import { ChangeSignal } from "../../components/training/follow.js";
import type { LiveRun, RunChange } from "../../engine/files/liveRun.js";

type Message = RunChange | "open" | "lost";

/** The runs of a folder, as the command last reported them. It notifies of changes while the page is visible. */
export class LiveRuns extends ChangeSignal {
  readonly byPath = new Map<string, LiveRun>();
  /** The folder; undefined before the first answer. */
  root: string | undefined;
  /** The address of the notebook, if the command serves it. */
  notebook: string | undefined;
  /** Whether the command cannot be reached. */
  isLost = false;

  constructor() {
    super();
    document.addEventListener("visibilitychange", () => this.notify());
    followMessages((message) => void this.#take(message));
    void this.#reload();
  }

  override notify(): void {
    if (!document.hidden) super.notify();
  }

  async #take(message: Message): Promise<void> {
    // Changes may have been missed.
    if (message === "open") return this.#reload();
    if (message === "lost") this.isLost = true;
    else if ("removed" in message) this.byPath.delete(message.path);
    else this.byPath.set(message.path, message);
    this.notify();
  }

  async #reload(): Promise<void> {
    const response = await fetch("runs.json").catch(() => undefined);
    this.isLost = !response?.ok;
    if (response?.ok) {
      const { runs, ...view }: { root: string; notebook?: string; runs: LiveRun[] } = await response.json();
      Object.assign(this, view);
      this.byPath.clear();
      for (const run of runs) this.byPath.set(run.path, run);
    }
    this.notify();
  }
}

/**
 * Follows the messages of the command. The pages of a browser share one connection, since a browser has at most six to a
 * server: the page with the lock has it, and passes on what it gets.
 */
function followMessages(take: (message: Message) => void): void {
  const channel = new BroadcastChannel("runs");
  channel.onmessage = ({ data }) => take(data);
  const send = (message: Message) => {
    channel.postMessage(message);
    take(message);
  };
  const connect = () => {
    const source = new EventSource("events");
    source.onopen = () => send("open");
    source.onerror = () => send("lost");
    source.onmessage = ({ data }) => send(JSON.parse(data));
    return new Promise(() => {});
  };
  // Browsers have locks only on this machine and with HTTPS.
  if (navigator.locks) void navigator.locks.request("runs", connect);
  else void connect();
}
