import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "vitest";
import { transpile } from "../../../src/components/cells/compile.js";

it("the cell of the lab that trains runs again for each knob and for all other settings", async () => {
  const page = readFileSync("src/index.md", "utf8");
  const cells = Array.from(page.matchAll(/^```js[^\n]*\n(.*?)^```/gms), ([, source]) => source);
  const { inputs } = await transpile(
    cells.find((source) => source.includes("= train("))!,
    async (specifier) => specifier,
  );
  const knobs = Array.from(page.matchAll(/const (\w+) = view\(settings\.(?:knob|form)\(/g), ([, name]) => name);
  assert.ok(knobs.includes("learningRate") && knobs.includes("options"), knobs.join());
  assert.deepEqual(
    ["engine", "image", ...knobs].filter((name) => !inputs.includes(name)),
    [],
  );
});
