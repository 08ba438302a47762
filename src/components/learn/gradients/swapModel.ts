import { bitsOf, floatOf } from "./floatBits.js";

/** What a thread of atomicAccumulate does next. */
export type SwapAction = "load" | "add" | "swap" | "done";

/** A thread that adds its value to the word. */
export interface SwapThread {
  value: number;
  next: SwapAction;
  /** Bits: the word as it saw it last, and what it wants to put there. */
  seen?: number;
  wanted?: number;
  /** Swaps that came too late. */
  retries: number;
}

/** One step of one thread, and what came of it. */
export interface SwapEvent {
  thread: number;
  action: "load" | "add" | "swap";
  /** Of a swap: whether the word was still what the thread had seen. */
  exchanged?: boolean;
}

/** The word and its threads after some steps. */
export interface SwapState {
  /** Bits. */
  word: number;
  threads: SwapThread[];
  /** The step that led here; none at the start. */
  event?: SwapEvent;
}

/** The start: a word that holds 0, and threads that have done nothing. A thread whose value is 0 is done already. */
export function beginSwaps(values: readonly number[]): SwapState {
  const threads = values.map((value): SwapThread => ({ value, next: value === 0 ? "done" : "load", retries: 0 }));
  return { word: 0, threads };
}

/** Threads that still have something to do. */
export function waitingThreads({ threads }: SwapState): number[] {
  return threads.flatMap(({ next }, thread) => (next === "done" ? [] : [thread]));
}

/** One step of one thread, by the rule of atomicAccumulate in shaders/shared/accumulate.wgsl. */
export function stepThread(state: SwapState, thread: number): SwapState {
  const now = state.threads[thread];
  const become = (change: Partial<SwapThread>, event: Omit<SwapEvent, "thread">, word = state.word): SwapState => ({
    word,
    threads: state.threads.map((other, i) => (i === thread ? { ...now, ...change } : other)),
    event: { thread, ...event },
  });
  switch (now.next) {
    case "load":
      return become({ next: "add", seen: state.word }, { action: "load" });
    case "add":
      return become({ next: "swap", wanted: bitsOf(floatOf(now.seen!) + now.value) }, { action: "add" });
    case "swap":
      if (now.seen === state.word) return become({ next: "done" }, { action: "swap", exchanged: true }, now.wanted);
      return become({ next: "add", seen: state.word, retries: now.retries + 1 }, { action: "swap", exchanged: false });
    default:
      throw new Error(`Thread ${thread} is done.`);
  }
}

/** Says which of the threads that have something left to do goes next. */
export type SwapOrder = (state: SwapState) => number;

/** All threads in turn, one step each: the worst that can happen. */
export function inTurns(): SwapOrder {
  return (state) => {
    const waiting = waitingThreads(state);
    const last = state.event?.thread ?? -1;
    return waiting.find((thread) => thread > last) ?? waiting[0];
  };
}

/** Each thread to its end before the next one begins: nobody is ever in the way. */
export function oneByOne(): SwapOrder {
  return (state) => waitingThreads(state)[0];
}

/** Any of them, with equal chances. */
export function atRandom(random: () => number): SwapOrder {
  return (state) => {
    const waiting = waitingThreads(state);
    return waiting[Math.floor(random() * waiting.length)];
  };
}

/** The states from one to the end, that one first. */
export function runSwaps(start: SwapState, order: SwapOrder): SwapState[] {
  const states = [start];
  for (let state = start; waitingThreads(state).length > 0; states.push(state)) state = stepThread(state, order(state));
  return states;
}

/** Swaps that came too late, of all threads. */
export function retriesOf({ threads }: SwapState): number {
  return threads.reduce((sum, { retries }) => sum + retries, 0);
}
