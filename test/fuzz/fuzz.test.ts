import assert from "node:assert/strict";
import { afterEach, describe, it, vi } from "vitest";
import { fuzz } from "./fuzzing.js";
import { freeBytes, readChecked } from "./oracle.js";
import { parsers } from "./parsers.js";

describe("damaged input is read or refused by an error of one sentence, within a second and four times its size", () => {
  for (const [name, parser] of Object.entries(parsers)) {
    it(name, async () => {
      const { executions, read } = await fuzz(name, { ...parser, large: undefined }, 300);
      assert.equal(executions, 300);
      assert.ok(read < executions || name === "image headers", "nothing was damaged");
    });
  }
});

describe("readChecked()", () => {
  afterEach(() => void vi.restoreAllMocks());
  const reading = (read: () => unknown) => readChecked({ read }, undefined);

  it("distinguishes inputs that are read from those that are refused", async () => {
    assert.equal((await reading(() => 1)).isRead, true);
    assert.equal((await reading(() => refuse("It is damaged."))).isRead, false);
    assert.equal((await reading(async () => refuse("It is damaged."))).isRead, false);
  });

  it("detects errors that are not one sentence, and internal errors", async () => {
    for (const message of ["damaged", "It is damaged.\nTry again.", "\x1b[2J.", `${"x".repeat(2000)}.`]) {
      await assert.rejects(
        reading(() => refuse(message)),
        /not one sentence/,
      );
    }
    await assert.rejects(
      reading(() => JSON.parse("{")),
      /internal error/,
    );
    await assert.rejects(
      reading(() => (undefined as never as []).length),
      /internal error/,
    );
  });

  it("detects readings that repeatedly take more than a second", async () => {
    let [now, times] = [0, 0];
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const slow = (slowTimes: number) => () => {
      now += times++ < slowTimes ? 1001 : 1;
    };
    assert.equal((await reading(slow(2))).milliseconds, 1);
    times = 0;
    await assert.rejects(reading(slow(9)), /took 1001 ms/);
  });

  it("detects readings that allocate too much", async () => {
    const retained: Uint8Array[] = [];
    const allocate = () => new Uint8Array(64 * freeBytes);
    await assert.rejects(
      reading(() => void retained.push(allocate())),
      /bytes more than it may/,
    );
    await reading(allocate);
  });
});

function refuse(message: string): never {
  throw new Error(message);
}
