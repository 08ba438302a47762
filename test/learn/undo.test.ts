import assert from "node:assert/strict";
import { it } from "vitest";
import { blendSteps, stackAt } from "../../src/components/learn/pixelStack.js";
import { describeUndo, recordUndo, undoErrors } from "../../src/learn/undo.js";
import { scene } from "../support/scenes.js";

const snapshot = { name: "random", ...scene({ blobs: 40, tile: [8, 4], covarianceScale: 0.05 }, 16, 8) };

it("recordUndo() undoes the applied blobs of each pixel, from the engine's T back to an empty pixel, within roundings", () => {
  let isRounded = false;
  for (let pixel = 0; pixel < 16 * 8; pixel++) {
    const stack = stackAt(snapshot, pixel % 16, Math.floor(pixel / 16));
    const steps = blendSteps(stack, "over");
    const { n, states } = recordUndo(stack, "over");
    assert.equal(n, steps.at(-1)?.after.finalCount ?? 0);
    for (const { place, blob, cached, undone } of states) {
      const T = steps[place - 1]?.after.transmittance ?? 1;
      assert.ok(
        Math.abs(cached / T - 1) < 2 * (place + 1) * 2 ** -24,
        `pixel ${pixel}, state ${place}: ${cached}, ${T}`,
      );
      assert.ok(Math.abs(undone / cached - 1) < 2 * (n + 1) * 2 ** -24, `pixel ${pixel}, state ${place}: ${undone}`);
      assert.equal(blob?.index, place < n ? stack[place].index : undefined);
      isRounded ||= undone !== cached;
    }
  }
  assert.ok(isRounded, "the states are float32");
});

it("recordUndo() holds every state up to the current one with caching, and only the current one with undoing", () => {
  const undo = recordUndo(stackAt(snapshot, 6, 3), "over");
  const { n, states, held } = undo;
  assert.ok(n > 3);
  for (let step = 0; step <= 2 * n; step++) {
    const current = Math.min(step, 2 * n - step);
    const places = (method: string) =>
      held.filter((row) => row.step === step && row.method === method).map(({ place }) => place);
    assert.deepEqual(places("caching"), [...Array(current + 1).keys()], `step ${step}`);
    assert.deepEqual(places("undoing"), [current], `step ${step}`);
  }
  assert.match(describeUndo(undo, n), /The backward pass begins here\.$/);
  assert.ok(describeUndo(undo, 2 * n).includes(`= ${states[0].undone.toFixed(8)},`));
});

it("undoErrors() are a few roundings with the same α however large it is, 1/(1 − α) as large with another, and α = 1 fails", () => {
  for (const nines of [1, 2, 3, 4, 5]) {
    const { same, apart, failed } = undoErrors({ blobs: 12, ceiling: 1 - 10 ** -nines, hasStop: true });
    assert.equal(failed, 0);
    assert.ok(same > 0 && same < 12 * 2 ** -23, `${nines}: ${same}`);
    const expected = 10 ** nines * 2 ** -24;
    assert.ok(apart > 0.7 * expected && apart < expected + 40 * 2 ** -24, `${nines}: ${apart}, ${expected}`);
  }
  assert.equal(undoErrors({ blobs: 12, ceiling: 1, hasStop: true }).failed > 0, true);
  assert.ok(undoErrors({ blobs: 60, ceiling: 0.99, hasStop: false }).failed === 0);
});
