import assert from "node:assert/strict";
import { it } from "vitest";
import { parseSnapshot, writeSnapshot } from "../../../src/components/learn/snapshotFile.js";
import { scene } from "../../support/scenes.js";

it("a snapshot is the same after it was written as JSON", () => {
  const { config, image, state } = scene({ blobs: 5 });
  const snapshot = { name: "waves", config, image, state: { ...state, step: 7 } };
  assert.deepEqual(parseSnapshot(JSON.parse(JSON.stringify(writeSnapshot(snapshot)))), snapshot);
});
