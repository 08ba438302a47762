import assert from "node:assert/strict";
import { it } from "vitest";
import { adapterName, rate, secondsCount } from "../../../src/components/page/format.js";

it("adapterName() leaves out the driver", () => {
  const names = ["nvidia-h200 (NVIDIA: 580.159.04 580.159.4.0)", "google swiftshader (SwiftShader)", "CPU, 2 workers"];
  assert.deepEqual(names.map(adapterName), ["NVIDIA H200", "google swiftshader", "CPU, 2 workers"]);
});

it("rate() writes no exponents, and two digits of small rates", () => {
  assert.deepEqual([0.0123, 1, 9.97, 99.4, 99.7, 100.4, 4553.2].map(rate), [
    "0.012",
    "1.0",
    "10",
    "99",
    "100",
    "100",
    "4,553",
  ]);
});

it("secondsCount() writes no exponents", () => {
  assert.deepEqual([2.287, 104.4, 999.7, 1199.4].map(secondsCount), ["2.29", "104", "1,000", "1,199"]);
});
