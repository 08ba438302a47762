import assert from "node:assert/strict";
import { afterEach, describe, it, vi } from "vitest";
import { fuzz } from "./fuzzing.js";
import { freeBytes, readChecked } from "./oracle.js";
import { parsers } from "./parsers.js";

describe("what is damaged is read or refused in a sentence, within a second and four times its size", () => {
  for (const [name, parser] of Object.entries(parsers)) {
    it(name, async () => {
      const { executions, read } = await fuzz(name, { ...parser, large: undefined }, 300);
      assert.equal(executions, 300);
      assert.ok(read < executions || name === "picture heads", "nothing was damaged");
    });
  }
});

describe("readChecked()", () => {
  afterEach(() => void vi.restoreAllMocks());
  const reading = (read: () => unknown) => readChecked({ read }, undefined);

  it("tells what was read from what was refused in a sentence", async () => {
    assert.equal((await reading(() => 1)).isRead, true);
    assert.equal((await reading(() => refuse("It is damaged."))).isRead, false);
    assert.equal((await reading(async () => refuse("It is damaged."))).isRead, false);
  });

  it("finds what is no sentence, or no error for people", async () => {
    for (const message of ["damaged", "It is damaged.\nTry again.", "\x1b[2J.", `${"x".repeat(2000)}.`]) {
      await assert.rejects(
        reading(() => refuse(message)),
        /no sentence/,
      );
    }
    await assert.rejects(
      reading(() => JSON.parse("{")),
      /no error for people/,
    );
    await assert.rejects(
      reading(() => (undefined as never as []).length),
      /no error for people/,
    );
  });

  it("finds what takes more than a second, again and again", async () => {
    let [now, times] = [0, 0];
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const slow = (slowTimes: number) => () => {
      now += times++ < slowTimes ? 1001 : 1;
    };
    assert.equal((await reading(slow(2))).milliseconds, 1);
    times = 0;
    await assert.rejects(reading(slow(9)), /took 1001 ms/);
  });

  it("finds what takes memory for more than there is", async () => {
    const held: Uint8Array[] = [];
    const take = () => new Uint8Array(64 * freeBytes);
    await assert.rejects(
      reading(() => void held.push(take())),
      /bytes more than it may/,
    );
    await reading(take);
  });
});

function refuse(message: string): never {
  throw new Error(message);
}
