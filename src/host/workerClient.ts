import { deserializeError, type SerializedError, serializeError } from "./serializedError.js";

/** A worker as its host offers it. */
export interface WorkerPort {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  /**
   * @param onMessage given each message
   * @param end told, with a reason, when the worker is no more
   */
  listen(onMessage: (message: never) => void, end: (reason: string) => void): void;
  terminate(): void;
  /** Told whether answers are awaited, where the host would otherwise not wait for them, or wait for ever. */
  keepAlive?(awaited: boolean): void;
}

type Request<Question> = { id: number; question: Question } | { abort: number };
type Reply<Answer> = { id: number; answer: Answer } | { id: number; error: SerializedError };

interface PendingRequest<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A worker that answers questions, and who waits for its answers. */
export class WorkerClient<Question, Answer> {
  #end: Error | undefined;
  readonly #port: WorkerPort;
  readonly #name: string;
  readonly #pending = new Map<number, PendingRequest<Answer>>();
  #questions = 0;

  /** @param name what the worker is, for the sentence that it is no more */
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

  /** Whether the worker is no more. */
  get ended(): boolean {
    return this.#end !== undefined;
  }

  /** Ends the worker, whatever it does; what waits for it, and what is asked later, rejects with this error. */
  end(error: Error): void {
    this.#end ??= error;
    for (const [id, { reject }] of this.#pending) {
      this.#settled(id);
      reject(this.#end);
    }
    this.#port.terminate();
  }

  /**
   * Asks of a file that comes from others, which may keep the worker longer than anyone waits: it is ended then.
   * @param bytes of the file, which may take a second for each million, and half a minute in any case
   * @throws Error of one sentence, as `ask`
   */
  async askWithTimeout(bytes: number, question: Question, transfer?: ArrayBuffer[]): Promise<Answer> {
    const seconds = 30 + Math.ceil(bytes / 1e6);
    const onTimeout = () =>
      this.end(new Error(`${this.#name} was given up: it had no answer after ${seconds} seconds.`));
    const timer = setTimeout(onTimeout, 1000 * seconds);
    try {
      return await this.ask(question, transfer);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * @param transfer memory that is handed over with the question
   * @param signal passed on to who answers
   * @throws Error of one sentence: what the answering failed of, or why the worker is no more
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

/**
 * The worker's own side: answers each question that it hears.
 * @param post sends to who asked
 * @returns to be given each message
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

/** The memory of the arrays in a value: made afresh for a message, it is handed over rather than copied. */
export function transferableBuffers(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  if (typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap(transferableBuffers))];
}
