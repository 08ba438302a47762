import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fullView, panBy, panTo, zoomAt } from "../../../src/components/images/view.js";

describe("a view of an image", () => {
  it("keeps the zoomed position in place, and is whole again after zooming out", () => {
    const near = zoomAt(fullView, 4, 0.6, 0.3);
    assert.equal(near.zoom, 4);
    for (const [from, place] of [
      [near.x, 0.6],
      [near.y, 0.3],
    ])
      assert.ok(Math.abs((place - from) * near.zoom - place) < 1e-12, `${place} is seen at ${(place - from) * 4}`);
    assert.deepEqual(zoomAt(near, 1 / 4, 0.9, 0.9), fullView);
  });

  it("never extends beyond the image, nor zooms by more than 32", () => {
    assert.deepEqual(panBy(zoomAt(fullView, 2, 1, 0), 5, -5), { zoom: 2, x: 0.5, y: 0 });
    assert.equal(zoomAt(fullView, 1000, 0, 0).zoom, 32);
    assert.deepEqual(zoomAt(fullView, 0.1, 0.5, 0.5), fullView);
  });

  it("moves just far enough to contain a position", () => {
    const view = { zoom: 4, x: 0.5, y: 0.5 };
    assert.deepEqual(panTo(view, 0.6, 0.7), view);
    assert.deepEqual(panTo(view, 0.9, 0.25), { zoom: 4, x: 0.65, y: 0.25 });
  });
});
