// The worker of one trial: runs the linked CPU reference with a reader's edit.

import type { runTrial } from "../../../engine/model/trial.js";
import { serveRequests } from "../../../host/browser/browserWorker.js";
import type { Scene } from "./scenes.js";

/** A linked module that exports `runTrial`, and the scene to run it on. */
export interface TrialRequest extends Pick<Scene, "config" | "image" | "parameters" | "steps"> {
  code: string;
}

// The page's policy does not apply to workers, and an answer may come from a file. It gets no requests, no storage and no
// other worker.
const refusedNames = [
  ...["fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "importScripts"],
  ...["indexedDB", "caches", "navigator", "cookieStore", "storage", "Worker", "SharedWorker", "BroadcastChannel"],
];
for (let owner: object | null = self; owner; owner = Object.getPrototypeOf(owner)) {
  for (const name of refusedNames) Reflect.deleteProperty(owner, name);
}

serveRequests(async ({ code, config, image, parameters, steps }: TrialRequest) => {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const module: { runTrial: typeof runTrial } = await import(url);
  return module.runTrial(config, image, parameters, steps);
});
