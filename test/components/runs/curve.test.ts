import assert from "node:assert/strict";
import { it } from "vitest";
import { curveOf } from "../../../src/components/runs/curve.js";
import { completeConfig } from "../../../src/engine/config.js";
import type { Snapshot } from "../../../src/engine/training/snapshot.js";

it("a short curve keeps all its points", () => {
  const snapshots = Array.from({ length: 300 }, (_, step) => ({ step }) as Snapshot);
  assert.deepEqual(curveOf({ config: completeConfig({}), measured: snapshots }).points, snapshots);
});

it("a long curve is thinned evenly and keeps its ends", () => {
  const snapshots = Array.from({ length: 5001 }, (_, step) => ({ step }) as Snapshot);
  const { points } = curveOf({ config: completeConfig({}), measured: snapshots });
  assert.ok(points.length > 100 && points.length <= 1000, `${points.length} points`);
  assert.equal(points[0].step, 0);
  assert.equal(points.at(-1)?.step, 5000);
  const gaps = points.slice(1).map(({ step }, i) => step - points[i].step);
  assert.ok(Math.max(...gaps) - Math.min(...gaps) <= 1);
});
