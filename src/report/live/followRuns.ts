import type { RunChange } from "../../engine/files/liveRun.js";

type Message = RunChange | "open" | "lost";

/**
 * Follows the changes that the command sends. The pages of a browser share one connection, since a browser has at most
 * six to a server: the page with the lock has it, and passes on what it gets.
 * @param reload called when the connection is opened, since changes may have been missed
 * @param lose called when it is lost
 */
export function followRuns(change: (run: RunChange) => void, reload: () => void, lose: () => void): void {
  const channel = new BroadcastChannel("runs");
  const take = (message: Message) => {
    if (message === "open") reload();
    else if (message === "lost") lose();
    else change(message);
  };
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
