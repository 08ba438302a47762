import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { psnrOfLoss } from "../../../src/engine/image/metrics.js";
import { defaultAlertAfter, LossWatch } from "../../../src/engine/training/alerts.js";

/** Returns the kinds and steps of the alerts for losses at every tenth step. */
function alertsOf(losses: number[], after = 100): string[] {
  const watch = new LossWatch(after);
  return losses.flatMap((loss, i) => {
    const alert = watch.next({ step: 10 * (i + 1), loss });
    return alert ? [`${alert.kind} ${alert.step}`] : [];
  });
}

const repeated = (loss: number, count: number) => Array<number>(count).fill(loss);
const falling = Array.from({ length: 40 }, (_, i) => 0.5 * 0.97 ** i);

describe("LossWatch", () => {
  it("reports nothing while the loss falls, also after a short rise", () => {
    assert.deepEqual(alertsOf(falling), []);
    assert.deepEqual(alertsOf([0.1, ...repeated(0.45, 9), 0.09, 0.08]), []);
    assert.deepEqual(alertsOf(repeated(0, 40)), []);
  });

  it("reports a loss that is far above its best, or above the first, for long", () => {
    assert.deepEqual(alertsOf([0.1, ...repeated(0.45, 30)]), ["diverged 120"]);
    assert.deepEqual(alertsOf([0.6, ...repeated(1.1, 30)]), ["diverged 120"]);
    // A render that is nearly perfect may vary by any factor.
    assert.deepEqual(alertsOf([...falling, 1e-9, ...repeated(1e-5, 9)]), []);
  });

  it("reports a run without progress once, with the number of steps", () => {
    const stalled = [...falling, ...repeated(falling.at(-1)!, 30)];
    assert.deepEqual(alertsOf(stalled), ["stalled 500"]);
    assert.deepEqual(alertsOf(stalled, 1000), []);
    const watch = new LossWatch(100);
    const [alert] = stalled.flatMap((loss, i) => watch.next({ step: 10 * (i + 1), loss }) ?? []);
    const psnr = psnrOfLoss(falling.at(-1)!).toFixed(2);
    assert.equal(alert.sentence, `No progress for 100 steps: the training PSNR is ${psnr} dB at step 500.`);
  });

  it("does not repeat an alert of the run that is resumed", () => {
    const watch = new LossWatch(100, [{ kind: "diverged" }]);
    assert.deepEqual(
      [0.1, 0.45, 0.45].map((loss, i) => watch.next({ step: 1 + 100 * i, loss })),
      [undefined, undefined, undefined],
    );
    assert.equal(watch.isDiverged, true);
  });

  it("waits for a fifth of the steps", () => {
    assert.deepEqual([10, 1000].map(defaultAlertAfter), [100, 200]);
  });
});
