import { BinnedPipeline } from "../../src/engine/gpu/binned/pipeline.js";
import { testDifferentiated, testGradients } from "../support/gradientTests.js";

// On the software adapter this is the Thread variant.
testGradients("binned");

for (const variant of ["Workgroup", "Subgroup"] as const) {
  testDifferentiated(`binned, ${variant} variant,`, (gpu, scene) => BinnedPipeline.open(gpu, scene, variant), false);
}
