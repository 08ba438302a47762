// The workers of splatbook/standalone.js. Their code is part of that file (packLibrary.js).

/** The code of a worker. As a string, it is the address of a blob. */
export interface WorkerCode {
  toString(): string;
  /** Runs the code in this thread, with these globals of a worker. It cannot start workers itself. */
  run(globals: Record<"postMessage" | "addEventListener", unknown>): unknown;
}

let allowed: Promise<boolean> | undefined;

/** Resolves to whether the content security policy of this page allows workers from blobs. */
export function allowsWorkers(): Promise<boolean> {
  allowed ??= new Promise<boolean>((resolve) => {
    const address = URL.createObjectURL(new Blob(["postMessage(0); close()"], { type: "text/javascript" }));
    try {
      const worker = new globalThis.Worker(address, { type: "module" });
      worker.addEventListener("message", () => resolve(true));
      worker.addEventListener("error", () => resolve(false));
    } catch {
      resolve(false);
    }
  });
  return allowed;
}

/** A worker with the members that browserWorker.ts uses. It runs in this thread if the page does not allow workers. */
export class InlineWorker extends EventTarget {
  readonly #opened: Promise<Worker | MessagePort>;
  #port: Worker | MessagePort | undefined;

  constructor(code: WorkerCode) {
    super();
    this.#opened = this.#open(code);
    void this.#opened.then((port) => {
      this.#port = port;
    });
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    if (this.#port) {
      this.#port.postMessage(message, transfer);
      return;
    }
    const copy = structuredClone(message, { transfer });
    void this.#opened.then((port) => port.postMessage(copy));
  }

  async terminate(): Promise<void> {
    const port = await this.#opened;
    if ("terminate" in port) port.terminate();
    else port.close();
  }

  async #open(code: WorkerCode): Promise<Worker | MessagePort> {
    const isAllowed = await allowsWorkers();
    const { port1, port2 } = new MessageChannel();
    const port = isAllowed ? new globalThis.Worker(`${code}`, { type: "module" }) : port1;
    port.onmessage = ({ data }) => this.dispatchEvent(new MessageEvent("message", { data }));
    port.onmessageerror = () => this.dispatchEvent(new MessageEvent("messageerror"));
    if (port !== port1) {
      port.addEventListener("error", (event) => {
        event.preventDefault();
        this.dispatchEvent(new ErrorEvent("error", { message: (event as ErrorEvent).message }));
      });
      return port;
    }
    code.run({
      postMessage: (message: unknown, options: StructuredSerializeOptions) => port2.postMessage(message, options),
      addEventListener: (_type: "message", listener: (event: MessageEvent) => void) => {
        port2.onmessage = listener;
      },
    });
    return port;
  }
}
