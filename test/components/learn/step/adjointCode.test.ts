import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "vitest";
import { adjointCode, codeThing } from "../../../../src/components/learn/step/adjointCode.js";
import { adjointOf } from "../../../../src/components/learn/step/adjoints.js";
import { adjointStages } from "../../../../src/components/learn/step/stageAdjoint.js";
import { takeSample } from "../../../../src/components/learn/step/stepSample.js";
import { walkStep } from "../../../../src/components/learn/step/stepWalk.js";
import { walkStages } from "../../../../src/components/learn/step/walkStages.js";
import { uniformGenerator } from "../../../../src/engine/blobs.js";
import { lineWith } from "../../../../src/engine/lines.js";
import { shaders } from "../../../support/gpu.js";
import { directScene, scene } from "../../../support/scenes.js";

const twinText = (file: string) => readFileSync(`src/engine/${file}`, "utf8");

it("each input of each stage has a line in the kernel, and each stage of the walk its code, and all of them stand in the files", () => {
  for (const job of [scene({ seed: 1 }), directScene({ blend: "over" })]) {
    const sample = takeSample(job, uniformGenerator(1));
    assert.ok(sample);
    for (const stage of adjointStages) {
      const { wgsl, twin, marks } = adjointCode(stage, job.config.parameterization);
      const [kernel, other] = [shaders.get(wgsl.file)!, twinText(twin!.file)];
      lineWith(kernel, wgsl.from);
      lineWith(other, twin!.from);
      for (const mark of Object.values(marks)) {
        if (mark.wgsl) lineWith(kernel, mark.wgsl);
        if (mark.twin) lineWith(other, mark.twin);
      }
      for (const k of adjointOf(stage, sample).inputs.keys()) {
        for (const composite of ["seed", "white", "black"] as const) {
          assert.ok(marks[codeThing(stage, k, composite)]?.wgsl, `${stage}, input ${k}, ${composite}`);
        }
      }
    }
    for (const { code, line } of walkStages(walkStep(sample, sample.state.parameters), job.config)) {
      const [kernel, other] = [shaders.get(code.wgsl.file)!, twinText(code.twin!.file)];
      lineWith(kernel, code.wgsl.from);
      lineWith(other, code.twin!.from);
      if (line.wgsl) lineWith(kernel, line.wgsl);
      if (line.twin) lineWith(other, line.twin);
    }
  }
});
