import assert from "node:assert/strict";
import { it } from "vitest";
import { shaders } from "../support/gpu.js";

it("no kernel writes a single component of a shared vector, which may write the others too on Metal and D3D", () => {
  const isShared = /var<(?:workgroup|storage, read_write)>\s*(\w+)\s*:\s*array<vec/g;
  const names = new Set(
    [...shaders.values()].flatMap((text) => Array.from(text.matchAll(isShared), ([, name]) => name)),
  );
  assert.ok(names.has("segmentStates") && names.has("sh_counts"), [...names].join());
  const ofComponent = new RegExp(
    `\\b(?:${[...names].join("|")})\\[.*\\](?:\\[.*\\]|\\.[rgbaxyzw]+)\\s*[-+*/|&^]?=(?!=)`,
  );
  const found = [...shaders].flatMap(([file, text]) =>
    text.split("\n").flatMap((line) => (ofComponent.test(line) ? [`${file}: ${line.trim()}`] : [])),
  );
  assert.deepEqual(found, []);
});
