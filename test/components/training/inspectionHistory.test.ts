import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { InspectionHistory } from "../../../src/components/training/inspectionHistory.js";

const lookAt = (step: number, bytes = 4) => ({
  state: { step, parameters: new Float32Array(bytes / 4) },
  tiles: { size: [8, 8] },
});
type Look = ReturnType<typeof lookAt>;
const stepsOf = ({ inspections: looks }: InspectionHistory<Look>) => looks.map(({ state }) => state.step);

describe("Moments", () => {
  it("keeps every look as long as there is room, and begins again with nothing", () => {
    const moments = new InspectionHistory<Look>();
    for (const step of [0, 1, 4, 16, 20]) moments.add(lookAt(step));
    assert.deepEqual(stepsOf(moments), [0, 1, 4, 16, 20]);
    moments.clear();
    assert.deepEqual(stepsOf(moments), []);
  });

  it("keeps the first and the latest of many, dense at the beginning and nowhere with a hole", () => {
    const moments = new InspectionHistory<Look>({ inspections: 12, bytes: 1e6 });
    for (let step = 0; step <= 10_000; step += 10) moments.add(lookAt(step));
    const steps = stepsOf(moments);
    assert.equal(steps.length, 12);
    assert.deepEqual([steps[0], steps.at(-1)], [0, 10_000]);
    const gaps = steps.slice(1).map((step, i) => Math.sqrt(step) - Math.sqrt(steps[i]));
    assert.ok(Math.max(...gaps) < (3 * 100) / 11, `roots apart by ${gaps}`);
    assert.ok(steps.filter((step) => step < 2500).length >= 4, `steps ${steps}`);
  });

  it("never holds more bytes than it may, nor a look that is larger than that", () => {
    const moments = new InspectionHistory<Look>({ inspections: 64, bytes: 1000 });
    for (let step = 0; step < 50; step++) {
      moments.add(lookAt(step, 240));
      assert.ok(moments.inspections.length <= 4);
    }
    assert.equal(stepsOf(moments).at(-1), 49);
    moments.add(lookAt(50, 1004));
    assert.deepEqual(stepsOf(moments), []);
  });

  it("forgets the steps that come again after the device was lost", () => {
    const moments = new InspectionHistory<Look>();
    for (const step of [0, 10, 20, 30, 20]) moments.add(lookAt(step));
    assert.deepEqual(stepsOf(moments), [0, 10, 20]);
  });
});
