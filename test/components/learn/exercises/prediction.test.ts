import assert from "node:assert/strict";
import { JSDOM } from "jsdom";
import { afterAll, beforeAll, describe, it } from "vitest";
import {
  type Prediction,
  type PredictionOptions,
  prediction,
} from "../../../../src/components/learn/exercises/prediction.js";
import {
  describeDistance,
  drawStroke,
  type PredictionAxis,
  predictedValues,
} from "../../../../src/components/learn/exercises/predictionModel.js";

const blobs: PredictionAxis = { label: "blobs in front, N", name: "N", values: [0, 1, 2, 4] };
const light: PredictionAxis = { label: "transmittance T", domain: [0, 1] };
const truth = [0, 1, 2, 4].map((x) => ({ x, y: 0.5 ** x }));

describe("the reader's curve", () => {
  it("has points at given values, or spread over the domain, by the scale", () => {
    assert.deepEqual(predictedValues(blobs), [0, 1, 2, 4]);
    const steps = predictedValues({ label: "step", scale: "log", domain: [1, 1e6] }) as number[];
    assert.equal(steps.length, 13);
    assert.deepEqual([steps[0], steps[12]], [1, 1e6]);
    assert.ok(Math.abs(steps[6] - 1000) < 1e-6);
  });

  it("follows the pen where it passes, in either direction, and its nearest point follows a tap", () => {
    const xs = [0, 10, 20, 30];
    const flat = [5, 5, 5, 5];
    assert.deepEqual(drawStroke(xs, flat, [0, 0], [22, 22]), [0, 10, 22, 5]);
    assert.deepEqual(drawStroke(xs, flat, [30, 0], [9, 21]), [5, 21, 10, 0]);
    assert.deepEqual(drawStroke(xs, flat, [13, 1], [13, 1]), [5, 1, 5, 5]);
  });

  it("is compared in the unit of y, or as a factor on a logarithmic axis, with the place of the largest distance", () => {
    const guess = [0, 1, 2, 4].map((x) => ({ x, y: 0.5 }));
    assert.equal(
      describeDistance(guess, truth, blobs, light),
      "Your curve is off by 0.3 on average; most at N = 0: you drew 0.5, the answer is 1.",
    );
    const time: PredictionAxis = { label: "time", unit: "ms", scale: "log", domain: [1, 1000] };
    const kernels: PredictionAxis = { label: "kernel", scale: "point", values: ["thread", "subgroup"] };
    const sentence = describeDistance(
      [
        { x: "thread", y: 10 },
        { x: "subgroup", y: 10 },
      ],
      [
        { x: "thread", y: 40 },
        { x: "subgroup", y: 10 },
      ],
      kernels,
      time,
    );
    assert.equal(
      sentence,
      "Your curve is off by a factor of 2 on average; most at thread: you drew 10 ms, the answer is 40 ms.",
    );
  });
});

describe("prediction()", () => {
  const globals = globalThis as unknown as Record<string, unknown>;
  const names = ["window", "document", "Node", "NodeList", "HTMLCollection", "Element", "SVGElement", "Event"];
  const previous = new Map([...names, "ResizeObserver"].map((name) => [name, globals[name]]));
  beforeAll(() => {
    const { window } = new JSDOM();
    for (const name of names) globals[name] = (window as unknown as Record<string, unknown>)[name];
    globals.ResizeObserver = class {
      constructor(readonly draw: (entries: { contentRect: { width: number } }[]) => void) {}
      observe() {
        this.draw([{ contentRect: { width: 500 } }]);
      }
    };
    // jsdom has no layout and no pointers.
    window.Element.prototype.getBoundingClientRect = () => ({ left: 0, top: 0, width: 500, height: 230 }) as DOMRect;
    window.Element.prototype.setPointerCapture = () => {};
    window.Element.prototype.hasPointerCapture = () => true;
  });
  afterAll(() => {
    for (const [name, value] of previous) {
      if (value === undefined) delete globals[name];
      else globals[name] = value;
    }
  });

  const create = (options: Partial<PredictionOptions> = {}) => {
    const node = prediction({
      question: "How much light is left?",
      point: "Each blob halves the light.",
      x: blobs,
      y: light,
      truth,
      ...options,
    });
    document.body.replaceChildren(node);
    const sliders = [...node.querySelectorAll<SVGElement>('[role="slider"]')];
    const key = (name: string) =>
      document.activeElement!.dispatchEvent(
        Object.assign(new Event("keydown", { bubbles: true, cancelable: true }), { key: name }),
      );
    return { node, sliders, key, button: node.querySelector("button")!, status: () => statusOf(node) };
  };
  const statusOf = (node: Prediction) => node.querySelector('[role="status"]')!.textContent!;
  /** The curve of the answer. */
  const answer = '[aria-description="measured"]';
  const settle = () => new Promise((resolve) => setTimeout(resolve));

  it("is drawn by arrow keys, and its handles are one tab stop", () => {
    const { node, sliders, key, button, status } = create({ start: 0.5 });
    let events = 0;
    node.addEventListener("input", () => events++);
    assert.deepEqual(
      sliders.map((slider) => slider.tabIndex),
      [0, -1, -1, -1],
    );
    sliders[0].focus();
    key("ArrowRight");
    assert.equal(document.activeElement, sliders[1]);
    assert.equal(node.value, null);
    key("ArrowUp");
    key("PageUp");
    assert.equal(sliders[1].getAttribute("aria-valuetext"), "0.65");
    assert.deepEqual(
      node.value,
      [0.5, 0.65, 0.5, 0.5].map((y, i) => ({ x: [0, 1, 2, 4][i], y })),
    );
    assert.equal(events, 2);
    for (let press = 0; press < 30; press++) key("ArrowUp");
    assert.equal(sliders[1].getAttribute("aria-valuenow"), "1");
    key("End");
    assert.equal(document.activeElement, sliders[3]);
    assert.equal(button.textContent, "Compare");
    assert.match(status(), /^Your curve is drawn/);
  });

  it("compares the curve with the answer, which a function computes only then, and starts again", async () => {
    let calls = 0;
    const { node, sliders, key, button, status } = create({
      start: 0.5,
      truth: () => {
        calls++;
        return Promise.resolve(truth);
      },
    });
    sliders[0].focus();
    key("ArrowUp");
    key("ArrowDown");
    assert.equal(calls, 0);
    button.click();
    assert.equal(status(), "Computing the answer.");
    await settle();
    assert.equal(calls, 1);
    assert.equal(status(), "Your curve is off by 0.3 on average; most at N = 0: you drew 0.5, the answer is 1.");
    assert.ok(node.querySelector(`${answer} path`));
    assert.equal(sliders[1].getAttribute("aria-valuetext"), "0.5; the answer is 0.5");
    const { value } = node;
    key("ArrowUp");
    assert.deepEqual(node.value, value, "an answered curve stays");
    button.click();
    assert.equal(node.value, null);
    assert.equal(node.querySelector(answer), null);
    assert.equal(button.textContent, "Show the answer");
  });
});
