import { element, setText } from "../../element.js";
import { count } from "../../format.js";
import { inFrames } from "../../lab/inFrames.js";
import { button, choice } from "../controls.js";
import { learnFigure } from "../learnFigure.js";
import { networkPasses, type ZeroOneCount, zeroOneCheck } from "./networkModel.js";

/** What the figure begins with: places, a power of two from 2 to 16. */
export interface ZeroOneOptions {
  n?: number;
}

const sizes = [2, 4, 8, 16];

/** Sorts all lists of zeros and ones by the network, with or without one of its passes: what that proves stands below. */
export function zeroOneFigure({ n = 8 }: ZeroOneOptions = {}): HTMLElement {
  let without: number | undefined;
  let asked = 0;
  const bar = element("progress", { max: 1, value: 0, "aria-label": "Lists tried" });
  const tally = element("p", { class: "zero-one-count" });
  const verdict = element("p", { class: "zero-one-verdict", "aria-live": "polite" });
  const passes = element("div", {});

  const clear = () => {
    asked++;
    bar.value = 0;
    setText(tally, `0 of ${count(2 ** n)} lists tried.`);
    setText(verdict, "");
  };
  const tell = ({ inputs, tried, sorted }: ZeroOneCount) => {
    bar.value = tried / inputs;
    setText(tally, `${count(tried)} of ${count(inputs)} lists tried, ${count(sorted)} of them sorted.`);
  };
  const check = async () => {
    clear();
    const ticket = asked;
    function* told(): Generator<void, ZeroOneCount | undefined> {
      const work = zeroOneCheck(n, without);
      while (ticket === asked && bar.isConnected) {
        const { done, value } = work.next();
        if (done) return value;
        tell(value);
        yield;
      }
      return undefined;
    }
    const end = await inFrames(told());
    if (!end) return;
    tell(end);
    const { failure } = end;
    setText(
      verdict,
      failure
        ? `Not all are sorted, so this is no sorting network. It fails first at ${failure.join(" ")}.`
        : `All are sorted. By the 0–1 principle the network sorts every list of ${n} numbers.`,
    );
  };
  const drawPasses = () => {
    const all = networkPasses(n).map(
      ({ k, j }, pass) => [pass, `without pass ${pass + 1} (k = ${k}, j = ${j})`] as const,
    );
    without = undefined;
    passes.replaceChildren(
      choice<number | undefined>("Network", [[undefined, "whole"], ...all], without, (pass) => {
        without = pass;
        clear();
      }).node,
    );
  };
  drawPasses();
  clear();
  return learnFigure(
    {
      title: "A proof by zeros and ones",
      alt: "A count of the lists of zeros and ones that the network has sorted, out of all that there are.",
      note: "Leave one pass out and check again: some list always fails.",
    },
    element(
      "div",
      { class: "learn-controls" },
      choice("Places", sizes, n, (size) => {
        n = size;
        drawPasses();
        clear();
      }).node,
      passes,
      button("Try all lists", () => void check()),
    ),
    bar,
    tally,
    verdict,
  );
}
