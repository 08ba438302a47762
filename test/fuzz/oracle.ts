import { getHeapStatistics } from "node:v8";

/** What reads something that others wrote. */
export interface Reader<Input> {
  /** Gives what it read, or throws an error of one sentence. */
  read(input: Input): unknown;
  /** Bytes that are to come of an input, where a reader may have to begin with memory for them. */
  foreseen?(input: Input): number;
  /** Whether it takes memory of the process, in which what it takes cannot be told from what it leaves. */
  isNative?: boolean;
}

/** What a reading came to. */
export interface Reading {
  isRead: boolean;
  milliseconds: number;
  /** Bytes that were taken beyond four times the input and the output, as far as they can be told from garbage. */
  excess: number;
}

/** The longest that a reading may take. */
export const mostMilliseconds = 1000;

/** What any reading may take besides four times its input and output, in bytes: code is compiled, errors have stacks. */
export const freeBytes = 2 ** 20;

/** The same of the process's memory, whose most there ever was can only be looked at. */
const freeNativeBytes = 2 ** 26;

/** Bytes that may come of a picture in a millisecond, besides `mostMilliseconds`. */
const bytesPerMillisecond = 1e5;

/** How often what was slow or large is read again: a busy machine spoils several readings in a row. */
const mostReadings = 8;

/** Characters of an error at most. */
const longestSentence = 1200;

/**
 * Reads an input, and checks that it was read, or refused in a sentence, in time and within memory. What was slow or
 * large is read again, since another process or the garbage collector may have been the reason.
 * @throws Error that says what was wrong with the reading
 */
export async function readChecked<Input>(reader: Reader<Input>, input: Input): Promise<Reading> {
  const before = mostEverTaken();
  let reading = await measured(reader, input);
  const foreseen = reader.foreseen?.(input) ?? 0;
  if (reader.isNative && mostEverTaken() - before > 4 * (sizeOf(input) + foreseen) + freeNativeBytes) {
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
  if (reading.milliseconds > mostMilliseconds + foreseen / bytesPerMillisecond)
    throw new Error(`It took ${Math.round(reading.milliseconds)} ms.`);
  if (reading.excess > freeBytes) throw new Error(`It took ${reading.excess} bytes more than it may.`);
  return reading;
}

const isTooMuch = ({ milliseconds, excess }: Reading) => milliseconds > mostMilliseconds || excess > freeBytes;

async function measured<Input>({ read, foreseen }: Reader<Input>, input: Input): Promise<Reading> {
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
  const given = sizeOf(input) + Math.max(sizeOf(output), foreseen?.(input) ?? 0);
  return { isRead: error === undefined, milliseconds, excess: taken - 4 * given };
}

function mostEverTaken(): number {
  return 1024 * process.resourceUsage().maxRSS;
}

/** Bytes of the heap and outside of it; it grows until garbage is collected. */
function memoryTaken(): number {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
}

function requireSentence(error: unknown): void {
  const isOurs = error instanceof Error && ["Error", "ConfigError", "Failure"].includes(error.name);
  if (!isOurs) throw new Error("It threw what is no error for people.", { cause: error });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal must not be given.
  const isSentence = /^[^\x00-\x1f\x7f]*\.$/.test(error.message) && error.message.length <= longestSentence;
  if (!isSentence || /Cannot read prop|is not a function|not iterable|call stack|undefined is/.test(error.message)) {
    throw new Error("It threw what is no sentence.", { cause: error });
  }
}

/** About the bytes that a value has, however deep it is. */
export function sizeOf(value: unknown): number {
  const left = [value];
  let bytes = 0;
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === "string") bytes += part.length;
    else if (ArrayBuffer.isView(part)) bytes += part.byteLength;
    else if (typeof part !== "object" || part === null) bytes += 8;
    else {
      bytes += 16;
      for (const [key, inner] of Object.entries(part)) {
        if (!Array.isArray(part)) bytes += key.length;
        left.push(inner);
      }
    }
  }
  return bytes;
}
