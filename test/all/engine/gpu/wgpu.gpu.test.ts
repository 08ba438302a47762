import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, it } from "vitest";
import { brokenKernels } from "../../../support/brokenKernels.js";
import { deno, runInDeno } from "../../../support/deno.js";
import { shaders } from "../../../support/gpu.js";
import type { WgpuCheck } from "../../../support/wgpuChecks.js";

describe.skipIf(!deno())("on wgpu, the WebGPU of Firefox and Deno,", () => {
  const module = fileURLToPath(new URL("../../../support/wgpuChecks.ts", import.meta.url));
  let checks: WgpuCheck[];
  let failure: string | undefined;

  beforeAll(async () => {
    const ran = await runInDeno(module, JSON.stringify([...shaders]));
    failure = ran.failure;
    checks = ran.stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  });

  /** Fails with each check that failed, and with the one that ended the process. */
  function assertPassed(kind: WgpuCheck["kind"], names: string[]): void {
    if (failure) assert.fail(`Deno ended in the check of ${checks.at(-1)?.name}: ${failure}`);
    const done = checks.filter((check) => check.kind === kind && check.outcome !== undefined);
    const failures = done.flatMap(({ name, outcome }) =>
      typeof outcome === "object" ? [`${name}: ${outcome.failure}`] : [],
    );
    assert.equal(failures.join("\n"), "");
    for (const name of names)
      assert.ok(
        done.some((check) => check.name.startsWith(name)),
        `${name} was not checked`,
      );
  }

  it("every kernel compiles, in each of its variants", () => {
    const names = ["simple, ", "tiled, ", "binned, ", "learn/", "every file of shaders/"];
    assertPassed("compiles", names);
  });

  it("errors of the compiler are one sentence, at the reader's file and line", () => {
    const names = brokenKernels.map(({ wgpu }) => wgpu);
    assertPassed("reports", names);
  });

  it("every pipeline has the float64 reference's gradients and images, and trains as it does", () => {
    assertPassed("trains", ["simple", "tiled", "binned, Workgroup"]);
  });
});
