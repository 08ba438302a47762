import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type Attempt, bestAttempt, blobsWithin, nextBlobs, nextForBits } from "../../../src/engine/training/goal.js";

type Tried = Pick<Attempt, "blobs" | "psnr">;

/** Returns the next number of blobs for a PSNR, for an image with as many pixels as the most blobs. */
const nextForPsnr = (attempts: Tried[], value: number, most: number) =>
  nextBlobs(attempts as Attempt[], { kind: "psnr", value }, { width: most, height: 1 });

/** Searches with a law for the PSNR, and returns the attempts. */
function search(law: (blobs: number) => number, psnr: number, start: number, most = 1e6): Tried[] {
  const attempts: Tried[] = [];
  for (let blobs: number | undefined = start; blobs !== undefined; blobs = nextForPsnr(attempts, psnr, most)) {
    attempts.push({ blobs, psnr: law(blobs) });
  }
  return attempts;
}

describe("nextBlobs() for a PSNR", () => {
  for (const perDoubling of [2, 3.5, 5.5]) {
    it(`finds a number of blobs that just reaches a PSNR, at ${perDoubling} dB per doubling`, () => {
      const attempts = search((blobs) => 20 + perDoubling * Math.log2(blobs / 300), 36, 4000);
      const best = bestAttempt(attempts, 36);
      assert.ok(best.psnr >= 36 && best.psnr < 36.25, `${best.psnr} dB with ${best.blobs} blobs`);
      assert.ok(attempts.length <= 5, `${attempts.length} attempts`);
    });
  }

  it("ends when an attempt is near enough", () => {
    assert.equal(nextForPsnr([{ blobs: 500, psnr: 40.1 }], 40, 1e6), undefined);
    assert.notEqual(nextForPsnr([{ blobs: 500, psnr: 39.99 }], 40, 1e6), undefined);
  });

  it("stays within the largest number of blobs, and then ends", () => {
    const attempts = search((blobs) => Math.min(30, 10 + Math.log2(blobs)), 50, 1000, 5000);
    assert.equal(attempts.at(-1)?.blobs, 5000);
    assert.ok(attempts.every(({ blobs }) => blobs <= 5000));
    assert.equal(bestAttempt(attempts, 50).psnr, Math.max(...attempts.map(({ psnr }) => psnr)));
  });

  it("ends with a perfect render", () => {
    assert.deepEqual(
      search(() => Number.POSITIVE_INFINITY, 40, 500).map(({ blobs }) => blobs),
      [500],
    );
  });

  it("increases the number of blobs by at most a factor of eight", () => {
    const [first, second] = search((blobs) => blobs / 1000, 60, 100);
    assert.equal(second.blobs, 8 * first.blobs);
  });

  it("ends after six attempts if more blobs hardly help", () => {
    assert.ok(search((blobs) => 30 + Math.sin(blobs), 45, 1000).length <= 6);
    assert.deepEqual(
      search((blobs) => 30 + 1e-9 * blobs, 45, 1).map(({ blobs }) => blobs),
      [1, 8, 64, 512, 4096, 32768],
    );
  });

  it("assumes 5 dB per doubling at first, then the slope of two attempts, at least 1 dB", () => {
    const next = (attempts: Tried[], psnr: number) => nextForPsnr(attempts, psnr, 1e6);
    const ratio = (decibels: number) => 2 ** (decibels + 0.125);
    const first = { blobs: 1000, psnr: 30 };
    assert.equal(next([first], 35), Math.round(1000 * ratio(5) ** 0.2));
    assert.equal(next([first, { blobs: 2000, psnr: 31.5 }], 33), Math.round(2000 * ratio(1.5) ** (1 / 1.5)));
    assert.equal(next([first, { blobs: 2000, psnr: 30.5 }], 32), Math.round(2000 * ratio(1.5)));
  });

  it("decreases the number of blobs by at most a factor of eight", () => {
    assert.equal(nextForPsnr([{ blobs: 8000, psnr: 90 }], 30, 1e6), 1000);
  });
});

describe("bestAttempt()", () => {
  it("prefers the fewest blobs that reach the goal to the best PSNR", () => {
    const attempts = [
      { blobs: 400, psnr: 39 },
      { blobs: 700, psnr: 40.4 },
      { blobs: 900, psnr: 42 },
    ];
    assert.equal(bestAttempt(attempts, 40).blobs, 700);
    assert.equal(bestAttempt(attempts, 50).blobs, 900);
  });
});

describe("nextForBits()", () => {
  for (const bits of [40, 75, 130]) {
    it(`fills a file with blobs of ${bits} bits in at most three attempts`, () => {
      const attempts: Pick<Attempt, "blobs" | "bitsPerPixel">[] = [];
      const pixels = 400 * 300;
      for (let blobs = nextForBits(attempts, 1.5, pixels); blobs; blobs = nextForBits(attempts, 1.5, pixels)) {
        attempts.push({ blobs, bitsPerPixel: (bits * blobs + 600) / pixels });
      }
      const { bitsPerPixel } = attempts.at(-1)!;
      assert.ok(bitsPerPixel <= 1.5 && bitsPerPixel > 1.4, `${bitsPerPixel} bits per pixel`);
      assert.ok(attempts.length <= 3);
    });
  }

  it("returns at least one blob, and at most as many as pixels", () => {
    assert.equal(nextForBits([], 1e-6, 100), 1);
    assert.equal(nextForBits([], 1e6, 100), 100);
  });

  it("assumes 75 bits per blob at first", () => {
    assert.equal(nextForBits([], 0.7505, 1000), 10);
  });

  it("ends if the bits are nearly filled, otherwise after three attempts", () => {
    const attempt = (bitsPerPixel: number) => ({ blobs: 1000, bitsPerPixel });
    assert.equal(nextForBits([attempt(1.5)], 1.5, 1e5), undefined);
    assert.equal(nextForBits([attempt(1.43)], 1.5, 1e5), undefined);
    const smaller = nextForBits([attempt(1.6), attempt(1.52)], 1.5, 1e5);
    const larger = nextForBits([attempt(1.2), attempt(1.42)], 1.5, 1e5);
    // Both aim at the middle of the accepted range.
    assert.deepEqual([smaller, larger], [962, 1029]);
    assert.equal(nextForBits([attempt(1.6), attempt(1.6), attempt(1.52)], 1.5, 1e5), undefined);
  });
});

describe("nextBlobs() for seconds", () => {
  it("is undefined", () => {
    assert.equal(nextBlobs([], { kind: "seconds", value: 2 }, { width: 10, height: 10 }), undefined);
  });
});

describe("blobsWithin()", () => {
  it("keeps the number of blobs if there is time for forty steps, and reduces it in proportion otherwise", () => {
    assert.equal(blobsWithin(4000, 2, 20), 4000);
    assert.equal(blobsWithin(4000, 2, 1500), 4000);
    assert.equal(blobsWithin(4000, 2, 30), 4000);
    assert.equal(blobsWithin(4000, 2, 4), 800);
    assert.equal(blobsWithin(10, 1, 15), 4);
    assert.equal(blobsWithin(4000, 0.001, 1), 1);
  });
});
