import assert from "node:assert/strict";
import { it } from "vitest";
import { countListedPairs } from "../../../../src/engine/bench/measure.js";
import {
  countEvaluatedPairs,
  evaluatedPairCount,
  storedStateBytes,
} from "../../../../src/engine/bench/realtime/evaluatedPairs.js";
import { programOf } from "../../../../src/engine/bench/realtime/programs.js";
import { decode, modelOf } from "../../../../src/engine/model/blob.js";
import { meetsTile, pixelBlob } from "../../../../src/engine/model/support.js";
import { calcUV } from "../../../../src/engine/model/uv.js";
import { scene } from "../../../support/scenes.js";
import { tiledTiles } from "../../../support/tiledTiles.js";

it("countEvaluatedPairs() counts pairs on the lists of `tiled`, from all pairs down to the blended ones", () => {
  const { config, image, state } = scene(
    { pipeline: "tiled", blobs: 60, tile: "8x8", gaussiansPerBlock: 16, seed: 9 },
    45,
    29,
  );
  const pairs = countEvaluatedPairs(config, state.parameters, image);
  const tiles = tiledTiles({ config, image, state });
  assert.equal(pairs.all, 45 * 29 * 60);
  assert.equal(pairs.listed, countListedPairs(tiles, image));
  assert.equal(pairs.longest, Math.max(...tiles.lengths));
  assert.equal(pairs.overflowing, tiles.lengths.filter((length) => length > 16).length);
  assert.ok(pairs.overflowing > 0 && pairs.overflowing < pairs.tiles);

  // Every subtile of 8 × 4 pixels with every blob.
  let met = 0;
  for (let i = 0; i < config.blobs; i++) {
    const blob = pixelBlob(decode(state.parameters, i, modelOf(config, image)), calcUV(image, image));
    for (let y = 0; y < 29; y += 4) {
      for (let x = 0; x < 45; x += 8) {
        if (meetsTile(blob, x / 8, y / 4, [8, 4])) met += Math.min(8, 45 - x) * Math.min(4, 29 - y);
      }
    }
  }
  assert.equal(pairs.met, met);
  assert.ok(pairs.blended <= pairs.supported && pairs.supported < pairs.met && pairs.met < pairs.listed);

  assert.equal(evaluatedPairCount(programOf("every-undo"), pairs), pairs.all);
  assert.equal(evaluatedPairCount(programOf("tiles-kept"), pairs), pairs.listed);
  assert.equal(storedStateBytes(programOf("tiles-kept"), pairs), 16 * pairs.listed);
  assert.equal(storedStateBytes(programOf("tiles-undo"), pairs), 0);
});
