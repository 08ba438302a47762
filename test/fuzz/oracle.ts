import { getHeapStatistics } from "node:v8";

/** A reader of untrusted data. */
export interface Reader<Input> {
  /** Returns what it read, or throws an error of one sentence. */
  read(input: Input): unknown;
  /** Expected bytes of the output, if a reader may allocate them first. */
  expectedBytes?(input: Input): number;
  /** Whether it allocates native memory, which can only be measured by the peak of the process. */
  isNative?: boolean;
}

/** The measurements of a reading. */
export interface Reading {
  isRead: boolean;
  milliseconds: number;
  /** Bytes allocated beyond four times the input and the output, including garbage. */
  excess: number;
}

/** The most milliseconds of a reading. */
export const mostMilliseconds = 1000;

/** Bytes that any reading may allocate besides four times its input and output, for compiled code and stack traces. */
export const freeBytes = 2 ** 20;

/** The same for native memory, of which only the peak is known. */
const freeNativeBytes = 2 ** 26;

/** Expected bytes per additional millisecond. */
const bytesPerMillisecond = 1e5;

/** How often a slow or large reading is repeated; a busy machine can spoil several in a row. */
const mostReadings = 8;

/** Most characters of an error. */
const longestSentence = 1200;

/**
 * Reads an input, and checks that it was read or refused by an error of one sentence, within the limits of time and
 * memory. A slow or large reading is repeated, since another process or the garbage collector may have caused it.
 * @throws Error that describes what was wrong
 */
export async function readChecked<Input>(reader: Reader<Input>, input: Input): Promise<Reading> {
  const before = mostEverTaken();
  let reading = await measured(reader, input);
  const expectedBytes = reader.expectedBytes?.(input) ?? 0;
  if (reader.isNative && mostEverTaken() - before > 4 * (byteSize(input) + expectedBytes) + freeNativeBytes) {
    throw new Error(`It took ${mostEverTaken() - before} bytes of the process.`);
  }
  for (let again = 0; again < mostReadings && isTooMuch(reading); again++) {
    const { milliseconds, excess, isRead } = await measured(reader, input);
    reading = {
      isRead,
      milliseconds: Math.min(milliseconds, reading.milliseconds),
      excess: Math.min(excess, reading.excess),
    };
  }
  if (reading.milliseconds > mostMilliseconds + expectedBytes / bytesPerMillisecond)
    throw new Error(`It took ${Math.round(reading.milliseconds)} ms.`);
  if (reading.excess > freeBytes) throw new Error(`It took ${reading.excess} bytes more than it may.`);
  return reading;
}

const isTooMuch = ({ milliseconds, excess }: Reading) => milliseconds > mostMilliseconds || excess > freeBytes;

async function measured<Input>({ read, expectedBytes }: Reader<Input>, input: Input): Promise<Reading> {
  let output: unknown;
  let error: unknown;
  const before = memoryTaken();
  const start = performance.now();
  try {
    output = read(input);
    if (output instanceof Promise) output = await output;
  } catch (thrown) {
    error = thrown;
  }
  const milliseconds = performance.now() - start;
  const taken = memoryTaken() - before;
  if (error !== undefined) requireSentence(error);
  const allowed = byteSize(input) + Math.max(byteSize(output), expectedBytes?.(input) ?? 0);
  return { isRead: error === undefined, milliseconds, excess: taken - 4 * allowed };
}

function mostEverTaken(): number {
  return 1024 * process.resourceUsage().maxRSS;
}

/** Returns the bytes of the heap and outside it, including garbage. */
function memoryTaken(): number {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
}

function requireSentence(error: unknown): void {
  const isOurs = error instanceof Error && ["Error", "ConfigError", "Failure"].includes(error.name);
  if (!isOurs) throw new Error("It threw an internal error.", { cause: error });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not reach a terminal.
  const isSentence = /^[^\x00-\x1f\x7f]*\.$/.test(error.message) && error.message.length <= longestSentence;
  if (!isSentence || /Cannot read prop|is not a function|not iterable|call stack|undefined is/.test(error.message)) {
    throw new Error("It threw an error that is not one sentence.", { cause: error });
  }
}

/** Returns the approximate bytes of a value of any depth. */
function byteSize(value: unknown): number {
  const pending = [value];
  let bytes = 0;
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item === "string") bytes += item.length;
    else if (ArrayBuffer.isView(item)) bytes += item.byteLength;
    else if (typeof item !== "object" || item === null) bytes += 8;
    else {
      bytes += 16;
      for (const [key, inner] of Object.entries(item)) {
        if (!Array.isArray(item)) bytes += key.length;
        pending.push(inner);
      }
    }
  }
  return bytes;
}
