import { element, setText } from "../../element.js";
import { count, counted } from "../../format.js";
import { standsFor } from "../marks.js";
import { agreements, type KernelSort, leftTheSame } from "./sortKernel.js";
import { type SortRecord, swapsOf } from "./sortModel.js";

/** Swaps of one pass that are listed, at most. */
const mostListed = 64;

/** What the kernel did on the reader's GPU, in words and swap by swap. */
export class KernelPanel {
  readonly node: HTMLElement;
  readonly #verdict = element("p", { class: "kernel-verdict", "aria-live": "polite" });
  readonly #head = element("p", { class: "kernel-head" });
  readonly #swaps = element("ol", { class: "kernel-swaps", tabindex: 0, "aria-label": "Swaps in order of arrival" });
  #sort: KernelSort | undefined;

  /** @param hasGpu whether there will be swaps to list */
  constructor(hasGpu: boolean) {
    this.node = element(
      "div",
      { class: hasGpu ? "kernel-panel has-swaps" : "kernel-panel" },
      this.#verdict,
      this.#head,
      this.#swaps,
    );
  }

  /** Says why there is nothing to show. */
  say(words: string): void {
    this.#sort = undefined;
    this.#verdict.classList.remove("wrong");
    setText(this.#verdict, words);
    this.showPass(undefined);
  }

  /** @returns of each pass, whether the kernel did the same as the twin */
  show(record: SortRecord, sort: KernelSort, threads: number, adapter: string): boolean[] {
    this.#sort = sort;
    const isSame = agreements(record, sort, threads);
    const swaps = record.comparators.reduce((sum, all) => sum + swapsOf(all), 0);
    const isRight = isSame.every(Boolean) && leftTheSame(record, sort);
    this.#verdict.classList.toggle("wrong", !isRight);
    const differing = isSame.flatMap((same, pass) => (same ? [] : [pass + 1]));
    setText(
      this.#verdict,
      isRight
        ? `Your GPU (${adapter}) did the same with ${counted(threads, "thread")}: the same ${counted(swaps, "swap")} in the same ${counted(isSame.length, "pass")}, each by the thread that the twin expects, and the same list at the end.`
        : `Your GPU (${adapter}) did not do the same${differing.length > 0 ? `: look at pass ${differing.join(", ")}` : ", for it left another list"}.`,
    );
    return isSame;
  }

  /** Lists the swaps of a pass. */
  showPass(pass: number | undefined): void {
    const swaps = pass === undefined ? undefined : this.#sort?.swapped[pass];
    this.#swaps.hidden = this.#head.hidden = swaps === undefined;
    if (!swaps) return;
    setText(
      this.#head,
      swaps.length === 0
        ? `Pass ${pass! + 1} on your GPU: all pairs compared, none swapped.`
        : `Pass ${pass! + 1} on your GPU: its swaps in the order in which the threads arrived.`,
    );
    const items = swaps
      .slice(0, mostListed)
      .map(({ thread, i, l }) =>
        standsFor(
          element("li", {}, element("b", {}, `thread ${thread}`), ` ${i} ↔ ${l}`),
          `thread:${thread}`,
          `element:${i}`,
          `element:${l}`,
        ),
      );
    const more = swaps.length - items.length;
    this.#swaps.replaceChildren(...items, ...(more > 0 ? [element("li", {}, `and ${count(more)} more`)] : []));
  }
}
