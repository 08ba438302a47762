import { BinnedPipeline } from "../../src/engine/gpu/binned/pipeline.js";
import { testDifferentiated, testGradients } from "../support/gradientTests.js";

// On the software adapter this is the Thread variant.
testGradients("binned");

testDifferentiated("binned, Workgroup variant,", (gpu, scene) => BinnedPipeline.open(gpu, scene, "Workgroup"), false);
