import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Gpu } from "../../../src/engine/gpu/device.js";
import { DeviceSerialQueue } from "../../../src/engine/gpu/deviceSerialQueue.js";
import type { ErrorScopes } from "../../../src/engine/gpu/errorScopes.js";
import { DeviceLostError } from "../../../src/engine/pipeline.js";

/** Turns on a device of which it is told, after so many milliseconds, that it is lost. */
function turnsOn(milliseconds: number): DeviceSerialQueue {
  let isLost = false;
  const gpu: Pick<Gpu, "lost" | "checkAlive"> = {
    lost: new Promise((resolve) => {
      setTimeout(() => {
        isLost = true;
        resolve();
      }, milliseconds).unref();
    }),
    checkAlive() {
      if (isLost) throw new DeviceLostError("The GPU was lost.");
    },
  };
  const nothing = async () => {};
  const errors: Pick<ErrorScopes, "report"> = { report: (work) => work() };
  return new DeviceSerialQueue(gpu as Gpu, errors as ErrorScopes, nothing, nothing);
}

describe("a turn on a device", () => {
  const brokenOff = () => Promise.reject(new DOMException("lost before mapping was resolved", "AbortError"));

  it("whose readback is broken off says that the device was lost, also where the word of that comes later", async () => {
    await assert.rejects(turnsOn(300).run(brokenOff), DeviceLostError);
    await assert.rejects(
      turnsOn(300).read(async () => [brokenOff()]),
      DeviceLostError,
    );
  });

  it("says so also where the turns were closed while it was read, since others go on with another device", async () => {
    const turns = turnsOn(100);
    const reading = turns.read(async () => [brokenOff()]);
    reading.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 10));
    await Promise.all([assert.rejects(reading, DeviceLostError), turns.close(() => {})]);
  });

  it("that fails of something else says of what", async () => {
    await assert.rejects(
      turnsOn(60_000).run(() => Promise.reject(new Error("too long"))),
      { message: "too long" },
    );
  });
});
