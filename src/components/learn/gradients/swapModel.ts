import { bitsOf, floatOf } from "./floatBits.js";

/** A thread that adds its value to the word. */
export interface SwapThread {
  value: number;
  next: "load" | "add" | "swap" | "done";
  /** Bits: the word as it saw it last, and what it wants to put there. */
  seen?: number;
  desired?: number;
  /** Swaps that came too late. */
  retries: number;
}

/** The word and its threads after some steps. */
export interface SwapState {
  /** Bits. */
  word: number;
  threads: SwapThread[];
  /** The step that led here, and of a swap whether the word was still what the thread had seen; none at the start. */
  event?: { thread: number; action: "load" | "add" | "swap"; exchanged?: boolean };
}

/** The start: a word that holds 0, and threads that have done nothing. A thread whose value is 0 is done already. */
export function initialSwapState(values: readonly number[]): SwapState {
  return { word: 0, threads: values.map((value) => ({ value, next: value === 0 ? "done" : "load", retries: 0 })) };
}

/** Threads that still have something to do. */
export function waitingThreads({ threads }: SwapState): number[] {
  return threads.flatMap(({ next }, thread) => (next === "done" ? [] : [thread]));
}

/** One step of one thread, by the rule of atomicAccumulate in shaders/shared/accumulate.wgsl, which has no twin. */
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

/** Says which of the threads that have something left to do goes next. */
export type SwapOrder = (state: SwapState) => number;

/** All threads in turn, one step each: the worst that can happen. */
export function roundRobin(state: SwapState): number {
  const waiting = waitingThreads(state);
  return waiting.find((thread) => thread > (state.event?.thread ?? -1)) ?? waiting[0];
}

/** Each thread to its end before the next one begins: nobody is ever in the way. */
export function oneByOne(state: SwapState): number {
  return waitingThreads(state)[0];
}

/** Any of them, with equal chances. */
export function randomOrder(random: () => number): SwapOrder {
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
export function countRetries({ threads }: SwapState): number {
  return threads.reduce((sum, { retries }) => sum + retries, 0);
}
