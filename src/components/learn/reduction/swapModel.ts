import { bitsOf, floatOf } from "./floatBits.js";

/** A thread that adds its value to the shared word. */
export interface SwapThread {
  value: number;
  next: "load" | "add" | "swap" | "done";
  /** Bits of the word as the thread last saw it, and of its sum. */
  seen?: number;
  desired?: number;
  /** Failed swaps. */
  retries: number;
}

/** The word and its threads after a step. */
export interface SwapState {
  /** Bits. */
  word: number;
  threads: SwapThread[];
  /** The step, and for a swap whether it succeeded; undefined at the start. */
  event?: { thread: number; action: "load" | "add" | "swap"; exchanged?: boolean };
}

/** Returns the state before the first step: the word is 0, and threads with a value of 0 are done. */
export function initialSwapState(values: readonly number[]): SwapState {
  return { word: 0, threads: values.map((value) => ({ value, next: value === 0 ? "done" : "load", retries: 0 })) };
}

/** Returns the threads that are not done. */
export function waitingThreads({ threads }: SwapState): number[] {
  return threads.flatMap(({ next }, thread) => (next === "done" ? [] : [thread]));
}

/**
 * Returns the state after one step of a thread, as in atomicAccumulate in shaders/shared/accumulate.wgsl, which has no CPU
 * reference.
 */
export function stepThread({ word, threads }: SwapState, thread: number): SwapState {
  const current = threads[thread];
  const action = current.next;
  if (action === "done") throw new Error(`Thread ${thread} is done.`);
  const exchanged = action === "swap" ? current.seen === word : undefined;
  const change: Record<typeof action, () => Partial<SwapThread>> = {
    load: () => ({ next: "add", seen: word }),
    add: () => ({ next: "swap", desired: bitsOf(floatOf(current.seen!) + current.value) }),
    swap: () => (exchanged ? { next: "done" } : { next: "add", seen: word, retries: current.retries + 1 }),
  };
  return {
    word: exchanged ? current.desired! : word,
    threads: threads.with(thread, { ...current, ...change[action]() }),
    event: { thread, action, exchanged },
  };
}

/** Returns the thread that runs next. */
export type SwapOrder = (state: SwapState) => number;

/** Runs one step of each thread in turn: the worst case. */
export function roundRobin(state: SwapState): number {
  const waiting = waitingThreads(state);
  return waiting.find((thread) => thread > (state.event?.thread ?? -1)) ?? waiting[0];
}

/** Runs each thread to its end before the next one starts: no swap fails. */
export function oneByOne(state: SwapState): number {
  return waitingThreads(state)[0];
}

/** Returns an order that picks a thread at random. */
export function randomOrder(random: () => number): SwapOrder {
  return (state) => {
    const waiting = waitingThreads(state);
    return waiting[Math.floor(random() * waiting.length)];
  };
}

/** Returns all states from a given one to the end. */
export function runSwaps(start: SwapState, order: SwapOrder): SwapState[] {
  const states = [start];
  for (let state = start; waitingThreads(state).length > 0; states.push(state)) state = stepThread(state, order(state));
  return states;
}

/** Returns the number of failed swaps of all threads. */
export function countRetries({ threads }: SwapState): number {
  return threads.reduce((sum, { retries }) => sum + retries, 0);
}
