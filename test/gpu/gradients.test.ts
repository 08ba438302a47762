import { testGradients } from "../support/gradientTests.js";

// One pipeline after the other, to reuse cached kernels.
testGradients("simple");
testGradients("tiled");
