import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { InspectionHistory } from "../../../src/components/training/inspectionHistory.js";

const inspectionAt = (step: number, bytes = 4) => ({
  state: { step, parameters: new Float32Array(bytes / 4) },
  tiles: { size: [8, 8] },
});
type Item = ReturnType<typeof inspectionAt>;
const stepsOf = ({ inspections }: InspectionHistory<Item>) => inspections.map(({ state }) => state.step);

describe("InspectionHistory", () => {
  it("keeps the first and the latest of many, dense at the beginning and without large gaps", () => {
    const history = new InspectionHistory<Item>({ inspections: 12, bytes: 1e6 });
    for (let step = 0; step <= 10_000; step += 10) history.add(inspectionAt(step));
    const steps = stepsOf(history);
    assert.equal(steps.length, 12);
    assert.deepEqual([steps[0], steps.at(-1)], [0, 10_000]);
    const gaps = steps.slice(1).map((step, i) => Math.sqrt(step) - Math.sqrt(steps[i]));
    assert.ok(Math.max(...gaps) < (3 * 100) / 11, `roots apart by ${gaps}`);
    assert.ok(steps.filter((step) => step < 2500).length >= 4, `steps ${steps}`);
  });

  it("never exceeds its bytes, not even by one inspection", () => {
    const history = new InspectionHistory<Item>({ inspections: 64, bytes: 1000 });
    for (let step = 0; step < 50; step++) {
      history.add(inspectionAt(step, 240));
      assert.ok(history.inspections.length <= 4);
    }
    assert.equal(stepsOf(history).at(-1), 49);
    history.add(inspectionAt(50, 1004));
    assert.deepEqual(stepsOf(history), []);
  });

  it("drops the steps that repeat after a lost device", () => {
    const history = new InspectionHistory<Item>();
    for (const step of [0, 10, 20, 30, 20]) history.add(inspectionAt(step));
    assert.deepEqual(stepsOf(history), [0, 10, 20]);
  });
});
