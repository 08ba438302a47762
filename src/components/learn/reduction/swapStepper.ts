import { html } from "htl";
import { linkThings } from "../../figures/pointing.js";
import { stepper } from "../../inputs/stepper.js";
import { counted } from "../../page/format.js";
import { floatOf, floatText, hex } from "./floatBits.js";
import { initialSwapState, runSwaps, type SwapOrder, type SwapState, stepThread } from "./swapModel.js";

/** The states of the threads in some order, and the index of the displayed one. */
export interface SwapTrace {
  states: SwapState[];
  at: number;
}

const actionText = { load: "loads next", add: "adds next", swap: "swaps next", done: "is done" } as const;

/**
 * Returns an input for threads that add their values to one word. The reader steps through the states, or presses a
 * thread's card to run it next; the order determines the steps after that.
 */
export function swapStepper(values: readonly number[], order: SwapOrder): HTMLElement & { value: SwapTrace } {
  const cards = values.map((_, i) => {
    const card = html`<button type="button" class="swap-thread" onclick=${() => advanceThread(i)}>`;
    return linkThings(card as HTMLButtonElement, `thread:${i}`);
  });
  const steps = html`<div>`;
  const node = html`<div><div class="swap-threads">${cards}</div>${steps}</div>` as ReturnType<typeof swapStepper>;
  const advanceThread = (thread: number) => {
    const { states, at } = node.value;
    setStates([...states.slice(0, at + 1), ...runSwaps(stepThread(states[at], thread), order)], at + 1);
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const setStates = (states: SwapState[], at: number) => {
    const describe = (index: number) => describeStep(states, index);
    const input = stepper("Steps of the threads", { count: states.length, value: at, describe });
    // The event then bubbles to the node.
    input.oninput = () => show(states, input.value);
    steps.replaceChildren(input);
    show(states, at);
  };
  const show = (states: SwapState[], at: number) => {
    node.value = { states, at };
    const { word: bits, threads, event } = states[at];
    for (const [i, { value, next, seen, desired, retries }] of threads.entries()) {
      const card = cards[i];
      const isStale = seen !== undefined && next !== "done" && seen !== bits;
      card.disabled = next === "done";
      card.classList.toggle("now", event?.thread === i);
      card.classList.toggle("stale", isStale);
      card.title = `Run thread ${i} next.`;
      card.replaceChildren(html`<span class="swap-card">
        <strong>Thread ${i}</strong>
        <span>adds ${floatText(value)}</span>
        ${bitsRow("seen", seen)}
        ${bitsRow("sum", next === "swap" || next === "done" ? desired : undefined)}
        <em>${next === "done" ? "done" : `${actionText[next]}${isStale ? ", too late" : ""}`}</em>
        <span>${retries === 0 ? "" : `${retries} ${retries === 1 ? "retry" : "retries"}`}</span>
      </span>`);
    }
  };
  setStates(runSwaps(initialSwapState(values), order), 0);
  return node;
}

function bitsRow(name: string, bits: number | undefined): HTMLElement {
  const [code, float] = bits === undefined ? ["–", ""] : [hex(bits), floatText(floatOf(bits))];
  return html`<span class="swap-row">${name}<code>${code}</code><span>${float}</span></span>`;
}

function describeStep(states: SwapState[], index: number): string {
  const { event, threads, word } = states[index];
  if (!event) {
    const idle = threads.filter(({ value }) => value === 0).length;
    return `The word holds 0. ${idle > 0 ? `${counted(idle, "thread")} with a value of 0 ended at once.` : "Choose a thread to run next, or step."}`;
  }
  const { seen, desired, retries } = threads[event.thread];
  const intro = `Step ${index} of ${states.length - 1}: thread ${event.thread}`;
  const bits = (word: number) => `${hex(word)}, which is ${floatText(floatOf(word))}`;
  if (event.action === "load") return `${intro} loads the word and sees ${bits(seen!)}.`;
  if (event.action === "add") return `${intro} adds its value to what it saw, which gives ${bits(desired!)}.`;
  if (event.exchanged)
    return `${intro} compares: the word is still what it saw. It swaps, and the word is ${floatText(floatOf(word))}.`;
  return `${intro} compares: another thread has changed the word. Nothing is written; it takes the new ${hex(word)} and retries, for the ${["first", "second", "third"][retries - 1] ?? `${retries}th`} time.`;
}
