// @ts-check
// Imported into a process (node --import), it refuses every connection to another machine.
import { Socket } from "node:net";

const connect = Socket.prototype.connect;
Socket.prototype.connect = function (/** @type {any[]} */ ...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const host = options?.path ? "localhost" : (options?.host ?? "localhost");
  if (!["localhost", "127.0.0.1", "::1"].includes(host)) throw new Error(`no network: refused to connect to ${host}`);
  return connect.apply(this, /** @type {any} */ (args));
};
globalThis.fetch = (input) => Promise.reject(new Error(`no network: refused to fetch ${input}`));
