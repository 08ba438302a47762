import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "vitest";
import { codeMarks } from "../../../../src/components/figures/codeMarks.js";
import { adjointOf } from "../../../../src/components/learn/step/adjoints.js";
import { adjointStages, codeThing } from "../../../../src/components/learn/step/stageAdjoint.js";
import { takeSample } from "../../../../src/components/learn/step/stepSample.js";
import { stageNames } from "../../../../src/components/learn/step/walkStages.js";
import { lineWith } from "../../../../src/engine/lines.js";
import { uniformGenerator } from "../../../../src/engine/random.js";
import { shaders } from "../../../support/gpu.js";
import { directScene, scene } from "../../../support/scenes.js";

it("each input of each stage has a line in the kernel, and each stage of the walk its code", () => {
  for (const job of [scene({ seed: 1 }), directScene({ blend: "over" })]) {
    const sample = takeSample(job, uniformGenerator(1));
    assert.ok(sample);
    for (const stage of adjointStages) {
      const isDirect = stage === "decode" && job.config.parameterization === "direct";
      const marks: Record<string, { wgsl?: string }> = codeMarks.step[isDirect ? "decodeDirect" : stage].marks;
      for (const composite of ["seed", "white", "black"] as const) {
        const adjoint = adjointOf(stage, sample, composite);
        for (const k of adjoint.inputs.keys()) {
          assert.ok(marks[codeThing(adjoint, k)]?.wgsl, `${stage}, input ${k}, ${composite}`);
        }
      }
    }
  }
  for (const name of stageNames) assert.ok(`code:walk.${name}` in codeMarks.step[name].marks, name);
});

it("what is marked stands in the files", () => {
  for (const { wgsl, twin, marks } of Object.values(codeMarks.step)) {
    const kernel = shaders.get(wgsl.file)!;
    const other = readFileSync(`src/engine/${twin.file}`, "utf8");
    lineWith(kernel, wgsl.from);
    lineWith(other, twin.from);
    for (const mark of Object.values<{ wgsl?: string; twin?: string }>(marks)) {
      if (mark.wgsl) lineWith(kernel, mark.wgsl);
      if (mark.twin) lineWith(other, mark.twin);
    }
  }
});
