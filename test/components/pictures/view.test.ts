import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { moved, showing, wholeView, zoomed } from "../../../src/components/pictures/view.js";

describe("a view of a picture", () => {
  it("that grows keeps the place in sight where it was, and is whole again when it has shrunk as much", () => {
    const near = zoomed(wholeView, 4, 0.6, 0.3);
    assert.equal(near.zoom, 4);
    for (const [from, place] of [
      [near.x, 0.6],
      [near.y, 0.3],
    ])
      assert.ok(Math.abs((place - from) * near.zoom - place) < 1e-12, `${place} is seen at ${(place - from) * 4}`);
    assert.deepEqual(zoomed(near, 1 / 4, 0.9, 0.9), wholeView);
  });

  it("never shows what lies beside the picture, nor less than a 32nd of it", () => {
    assert.deepEqual(moved(zoomed(wholeView, 2, 1, 0), 5, -5), { zoom: 2, x: 0.5, y: 0 });
    assert.equal(zoomed(wholeView, 1000, 0, 0).zoom, 32);
    assert.deepEqual(zoomed(wholeView, 0.1, 0.5, 0.5), wholeView);
  });

  it("moves no farther than a place needs to be seen", () => {
    const view = { zoom: 4, x: 0.5, y: 0.5 };
    assert.deepEqual(showing(view, 0.6, 0.7), view);
    assert.deepEqual(showing(view, 0.9, 0.25), { zoom: 4, x: 0.65, y: 0.25 });
  });
});
