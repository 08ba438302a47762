import { testGradients } from "../support/gradientTests.js";

// On the software adapter this is the Workgroup variant.
testGradients("binned");
