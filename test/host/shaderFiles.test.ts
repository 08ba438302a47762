import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { projectRoot } from "../../src/cli/install.js";

it("the page fetches every kernel under shaders/, each under its own path", () => {
  const source = readFileSync(join(projectRoot, "src", "host", "shaderFiles.ts"), "utf8");
  const listed = [...source.matchAll(/"([^"]+)": FileAttachment\("\.\.\/shaders\/([^"]+)"\)/g)];
  for (const [, path, file] of listed) assert.equal(path, file);
  const kernels = readdirSync(join(projectRoot, "shaders"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".wgsl"))
    .map((file) => file.replaceAll("\\", "/"));
  assert.deepEqual(listed.map(([, path]) => path).sort(), kernels.sort());
});
