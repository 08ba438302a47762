import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { wholeView, zoomed } from "../../../src/components/pictures/view.js";
import { partOf, placeOf, regionAt, regionsIn } from "../../../src/components/runs/regionView.js";
import { planRegions } from "../../../src/engine/regions/plan.js";

const size = { width: 451, height: 300 };
const list = planRegions(size, 160).regions.map(({ own }) => own);

describe("the part of a picture that a view shows", () => {
  it("is drawn with the frame's pixels, square ones, and stands in the frame where it belongs", () => {
    for (const frame of [
      { width: 736, height: 489.6 },
      { width: 358, height: 238.1 },
    ]) {
      const view = zoomed(wholeView, 4, 0.6, 0.3);
      const { crop, to } = partOf(view, size, frame);
      assert.deepEqual(to, { width: Math.round(frame.width), height: Math.round(frame.height) });
      assert.ok(Math.abs(crop.width / to.width - crop.height / to.height) < 1e-12);
      assert.deepEqual([crop.x, crop.y], [view.x * size.width, view.y * size.height]);
      const { left, top, width, height } = placeOf(crop, size, view);
      assert.ok(Math.hypot(left, top) < 1e-9);
      assert.ok(Math.abs(width - 1) < 0.005 && Math.abs(height - 1) < 0.005, `${width} × ${height}`);
      const nearer = zoomed(view, 2, view.x, view.y);
      assert.ok(Math.abs(placeOf(crop, size, nearer).width - 2 * width) < 1e-9, "it grows with what is shown");
    }
  });

  it("meets the regions whose pixels it has, and no other", () => {
    const { crop } = partOf(zoomed(wholeView, 4, 0, 0), size, { width: 736, height: 490 });
    assert.deepEqual(regionsIn(list, crop), [0]);
    assert.deepEqual(regionsIn(list, partOf(wholeView, size, { width: 736, height: 490 }).crop), [0, 1, 2, 3, 4, 5]);
    const middle = partOf(zoomed(wholeView, 32, 0.5, 0.5), size, { width: 736, height: 490 });
    assert.deepEqual(regionsIn(list, middle.crop), [1, 4]);
    for (const [i, { x, y, width, height }] of list.entries()) {
      assert.equal(regionAt(list, x, y), i);
      assert.equal(regionAt(list, x + width - 0.01, y + height - 0.01), i);
    }
  });
});
