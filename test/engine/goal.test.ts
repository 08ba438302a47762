import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Attempt, bestAttempt, nextAttempt } from "../../src/engine/goal.js";

/** Searches on pictures that a law says, and returns the attempts. */
function search(law: (blobs: number) => number, psnr: number, start: number, most = 1e6): Attempt[] {
  const attempts: Attempt[] = [];
  for (let blobs: number | undefined = start; blobs !== undefined; blobs = nextAttempt(attempts, psnr, most)) {
    attempts.push({ blobs, psnr: law(blobs) });
  }
  return attempts;
}

describe("nextAttempt()", () => {
  for (const perDoubling of [2, 3.5, 5.5]) {
    it(`finds a number of blobs that reaches a PSNR and hardly more, at ${perDoubling} dB a doubling`, () => {
      const attempts = search((blobs) => 20 + perDoubling * Math.log2(blobs / 300), 36, 4000);
      const best = bestAttempt(attempts, 36);
      assert.ok(best.psnr >= 36 && best.psnr < 36.25, `${best.psnr} dB with ${best.blobs} blobs`);
      assert.ok(attempts.length <= 5, `${attempts.length} attempts`);
    });
  }

  it("is content at once with what is near enough", () => {
    assert.equal(nextAttempt([{ blobs: 500, psnr: 40.1 }], 40, 1e6), undefined);
    assert.notEqual(nextAttempt([{ blobs: 500, psnr: 39.99 }], 40, 1e6), undefined);
  });

  it("goes no further than there may be blobs, and then gives up", () => {
    const attempts = search((blobs) => Math.min(30, 10 + Math.log2(blobs)), 50, 1000, 5000);
    assert.equal(attempts.at(-1)?.blobs, 5000);
    assert.ok(attempts.every(({ blobs }) => blobs <= 5000));
    assert.equal(bestAttempt(attempts, 50).psnr, Math.max(...attempts.map(({ psnr }) => psnr)));
  });

  it("ends where pictures do not get better with their blobs", () => {
    assert.ok(search((blobs) => 30 + Math.sin(blobs), 45, 1000).length <= 6);
  });
});

describe("bestAttempt()", () => {
  it("prefers the fewest blobs that reach the goal to the best picture", () => {
    const attempts = [
      { blobs: 400, psnr: 39 },
      { blobs: 700, psnr: 40.4 },
      { blobs: 900, psnr: 42 },
    ];
    assert.equal(bestAttempt(attempts, 40).blobs, 700);
    assert.equal(bestAttempt(attempts, 50).blobs, 900);
  });
});
