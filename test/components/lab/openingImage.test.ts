import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { openingImage } from "../../../src/components/lab/openingImage.js";
import type { Inspection, Render, Run } from "../../../src/components/training/run.js";

const runOf = (isIdle = false) => ({ isIdle, changed: new Promise(() => {}) }) as unknown as Run;
const renderOf = (psnr: number) => ({ psnr }) as Render;
const recorded = async () => 26;

describe("openingImage()", () => {
  const first = async (
    opening: ReturnType<typeof openingImage>,
    run: Run,
    psnr: number,
    moment: Inspection | null = null,
  ) => (await opening.isReplaced(run, renderOf(psnr), moment).next()).value;

  it("is replaced by the first render that is better, and stays replaced", async () => {
    const [opening, run] = [openingImage(recorded), runOf()];
    assert.deepEqual(
      [await first(opening, run, 20), await first(opening, run, 26), await first(opening, run, 26.1)],
      [false, false, true],
    );
    assert.equal(await first(opening, run, 20), true);
  });

  it("is replaced at once where the reader asks for a run of their own, another run, a pause or an earlier step", async () => {
    assert.equal(await first(openingImage(undefined), runOf(), 5), true);
    const opening = openingImage(recorded);
    assert.equal(await first(opening, runOf(), 5), false);
    assert.equal(await first(opening, runOf(), 5), true);
    assert.equal(await first(openingImage(recorded), runOf(true), 5), true);
    assert.equal(await first(openingImage(recorded), runOf(), 5, {} as Inspection), true);
  });
});
