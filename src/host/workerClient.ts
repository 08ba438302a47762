import { deserializeError, type SerializedError, serializeError } from "./serializedError.js";

/** The connection to a worker: a thread, a process or a Worker of the browser. */
export interface WorkerPort {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  /**
   * @param onMessage called with each message
   * @param end called with a reason when the worker has ended
   */
  listen(onMessage: (message: never) => void, end: (reason: string) => void): void;
  terminate(): void;
  /** Called with whether answers are pending, so that Node waits for the worker only then. */
  keepAlive?(awaited: boolean): void;
}

type Request<Question> = { id: number; question: Question } | { abort: number };
type Reply<Answer> = { id: number; answer: Answer } | { id: number; error: SerializedError };

interface PendingRequest<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Sends questions to a worker, and resolves with its answers. */
export class WorkerClient<Question, Answer> {
  #end: Error | undefined;
  readonly #port: WorkerPort;
  readonly #name: string;
  readonly #pending = new Map<number, PendingRequest<Answer>>();
  #questions = 0;

  /** @param name name of the worker in errors */
  constructor(port: WorkerPort, name = "The engine") {
    this.#port = port;
    this.#name = name;
    port.listen(
      (reply: Reply<Answer>) => {
        const pending = this.#pending.get(reply.id);
        this.#settled(reply.id);
        if ("error" in reply) pending?.reject(deserializeError(reply.error));
        else pending?.resolve(reply.answer);
      },
      (reason) => this.end(new Error(`${name} stopped: ${reason}.`)),
    );
  }

  /** Whether the worker has ended. */
  get ended(): boolean {
    return this.#end !== undefined;
  }

  /** Ends the worker, even if it is busy. Pending and later questions reject with this error. */
  end(error: Error): void {
    this.#end ??= error;
    for (const [id, { reject }] of this.#pending) {
      this.#settled(id);
      reject(this.#end);
    }
    this.#port.terminate();
  }

  /**
   * Asks about an untrusted file, and ends the worker if it takes too long.
   * @param bytes size of the file; the limit is 30 seconds and one more per megabyte
   * @throws Error of one sentence, as `ask`
   */
  async askWithTimeout(bytes: number, question: Question, transfer?: ArrayBuffer[]): Promise<Answer> {
    const seconds = 30 + Math.ceil(bytes / 1e6);
    const onTimeout = () =>
      this.end(new Error(`${this.#name} was stopped: it did not answer within ${seconds} seconds.`));
    const timer = setTimeout(onTimeout, 1000 * seconds);
    try {
      return await this.ask(question, transfer);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Sends a question, and resolves with the answer.
   * @param transfer buffers to transfer with the question
   * @param signal aborts the signal of the worker's answer function
   * @throws the error of the worker, or an Error of one sentence if it has ended
   */
  async ask(question: Question, transfer: ArrayBuffer[] = [], signal?: AbortSignal): Promise<Answer> {
    if (this.#end) throw this.#end;
    const id = ++this.#questions;
    const abort = () => this.#post({ abort: id });
    const answer = new Promise<Answer>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#port.keepAlive?.(true);
    try {
      this.#post({ id, question }, transfer);
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort);
      return await answer;
    } finally {
      this.#settled(id);
      signal?.removeEventListener("abort", abort);
    }
  }

  #settled(id: number): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#port.keepAlive?.(false);
  }

  #post(request: Request<Question>, transfer: ArrayBuffer[] = []): void {
    this.#port.post(request, transfer);
  }
}

/** Returns a function that returns the client of a worker. It starts the worker, also if the one before has ended. */
export function liveClient<Question, Answer>(start: () => WorkerPort, name?: string) {
  let client: WorkerClient<Question, Answer> | undefined;
  return () => {
    if (!client || client.ended) client = new WorkerClient(start(), name);
    return client;
  };
}

/**
 * Answers questions in the worker.
 * @param post sends a message to the client
 * @returns a function to call with each message
 */
export function answerRequests<Question, Answer>(
  post: (message: unknown, transfer: ArrayBuffer[]) => void,
  answer: (question: Question, signal: AbortSignal) => Answer | Promise<Answer>,
): (request: Request<Question>) => Promise<void> {
  const controllers = new Map<number, AbortController>();
  return async (request) => {
    if ("abort" in request) {
      controllers.get(request.abort)?.abort();
      return;
    }
    const { id, question } = request;
    const controller = new AbortController();
    controllers.set(id, controller);
    const send = (reply: Reply<Answer>) => post(reply, "answer" in reply ? transferableBuffers(reply.answer) : []);
    try {
      send({ id, answer: await answer(question, controller.signal) });
    } catch (error) {
      send({ id, error: serializeError(error) });
    } finally {
      controllers.delete(id);
    }
  };
}

/** Returns the buffers of the arrays in a value, which are transferred instead of copied. */
function transferableBuffers(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  if (typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap(transferableBuffers))];
}
