import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Gpu } from "../../../src/engine/gpu/device.js";
import { DeviceSerialQueue } from "../../../src/engine/gpu/deviceSerialQueue.js";
import type { ErrorScopes } from "../../../src/engine/gpu/errorScopes.js";
import { DeviceLostError } from "../../../src/engine/pipeline.js";

/** A queue on a device that reports its loss after so many milliseconds. */
function queueLostAfter(milliseconds: number): DeviceSerialQueue {
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

describe("DeviceSerialQueue", () => {
  const aborted = () => Promise.reject(new DOMException("lost before mapping was resolved", "AbortError"));

  it("reports device loss for an aborted readback, also if the loss is reported later", async () => {
    await assert.rejects(queueLostAfter(20).run(aborted), DeviceLostError);
    await assert.rejects(
      queueLostAfter(20).read(async () => [aborted()]),
      DeviceLostError,
    );
  });

  it("reports device loss also if it was closed during the readback, since the run continues on another device", async () => {
    const queue = queueLostAfter(20);
    let reading: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve) => {
      reading = queue.read(async () => {
        resolve();
        return [aborted()];
      });
      reading.catch(() => {});
    });
    await Promise.all([assert.rejects(reading, DeviceLostError), queue.close(() => {})]);
  });

  it("reports other errors unchanged", async () => {
    await assert.rejects(
      queueLostAfter(60_000).run(() => Promise.reject(new Error("too long"))),
      { message: "too long" },
    );
  });
});
