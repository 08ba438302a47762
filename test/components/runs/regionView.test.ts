import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fullView, zoomAt } from "../../../src/components/images/view.js";
import { blobsIn, positionInView, regionAt, regionsIn, visiblePart } from "../../../src/components/runs/regionView.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import { drawCrop } from "../../../src/engine/regions/draw.js";
import { planRegions } from "../../../src/engine/regions/plan.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { openRegions } from "../../../src/runs/regions/regionsFile.js";
import { openRunFolder } from "../../../src/runs/runFolder.js";

const size = { width: 451, height: 300 };
const list = planRegions(size, 160).regions.map(({ own }) => own);

describe("the visible part of an image", () => {
  it("is drawn with the frame's pixels, square ones, at its position in the frame", () => {
    for (const frame of [
      { width: 736, height: 489.6 },
      { width: 358, height: 238.1 },
    ]) {
      const view = zoomAt(fullView, 4, 0.6, 0.3);
      const { part, to } = visiblePart(view, size, frame);
      assert.deepEqual(to, { width: Math.round(frame.width), height: Math.round(frame.height) });
      assert.ok(Math.abs(part.width / to.width - part.height / to.height) < 1e-12);
      assert.deepEqual([part.x, part.y], [view.x * size.width, view.y * size.height]);
      const dense = visiblePart(view, size, frame, frame, 2);
      assert.deepEqual(dense.to, { width: Math.round(2 * frame.width), height: Math.round(2 * frame.height) });
      assert.ok(Math.abs(dense.part.width / part.width - 1) < 0.005, "the same part in more pixels");
      const { left, top, width, height } = positionInView(part, size, view);
      assert.ok(Math.hypot(left, top) < 1e-9);
      assert.ok(Math.abs(width - 1) < 0.005 && Math.abs(height - 1) < 0.005, `${width} × ${height}`);
      const nearer = zoomAt(view, 2, view.x, view.y);
      assert.ok(Math.abs(positionInView(part, size, nearer).width - 2 * width) < 1e-9, "it grows with the zoom");
    }
  });

  it("fills the area around the frame of a flat or narrow image, within the image", () => {
    for (const [width, height] of [
      [5000, 100],
      [100, 5000],
    ]) {
      const size = { width, height };
      const frame = { width: Math.max(10, width / 10), height: Math.max(10, height / 10) };
      const room = { width: Math.max(200, frame.width), height: Math.max(200, frame.height) };
      const of = (zoom: number, x: number, y: number) => visiblePart({ zoom, x, y }, size, frame, room);
      const near = ({ part, to }: ReturnType<typeof of>, expected: number[], drawn: number[]) => {
        const { x, y, width, height } = part;
        for (const [i, value] of [x, y, width, height].entries())
          assert.ok(Math.abs(value - expected[i]) < 1e-6, `${[x, y, width, height]} and not ${expected}`);
        assert.deepEqual([to.width, to.height], drawn);
      };
      // The shorter side has 100 of the area's 200 pixels at zoom 10, and all of them at zoom 40.
      if (width > height) {
        near(of(10, 0.5, 0.3), [2500, 0, 500, 100], [500, 100]);
        near(of(40, 0.5, 0.5), [2500, 26.25, 125, 50], [500, 200]);
      } else {
        near(of(10, 0.3, 0.5), [0, 2500, 100, 500], [100, 500]);
        near(of(40, 0.5, 0.5), [26.25, 2500, 50, 125], [200, 500]);
      }
    }
  });

  it("agrees with the whole render: the drawn pixels within one of its pixels have its mean colour", async () => {
    const folder = "data/runs/chelsea-regions";
    const blobs = await openRegions(await openRunFolder(folder), folder);
    const render = await decodeImage(`${folder}/render.png`);
    const times = 8;
    const [width, height] = [45, 30];
    const view = { zoom: 10, x: 100 / size.width, y: 120 / size.height };
    const frame = { width: (times * size.width) / 10, height: (times * size.height) / 10 };
    const { crop, to } = visiblePart(view, size, frame);
    const drawn = await drawCrop(cpuBackend, blobs, crop, to);
    let difference = 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        let red = 0;
        for (let j = 0; j < times; j++) {
          for (let i = 0; i < times; i++) red += drawn.data[4 * ((y * times + j) * to.width + x * times + i)];
        }
        difference += Math.abs((255 * red) / times ** 2 - render.data[4 * ((120 + y) * size.width + 100 + x)]);
      }
    }
    assert.ok(difference / (width * height) < 1, `${difference / (width * height)} of 255`);
  });

  it("counts blobs in proportion to the overlap with their region", () => {
    const regions = list.map((own) => ({ ...own, blobs: 300_000 }));
    const crossing = zoomAt(fullView, 8, 150 / size.width, 150 / size.height);
    const { part } = visiblePart(crossing, size, { width: 736, height: 490 });
    assert.ok(regionsIn(regions, part).length === 4 && blobsIn(regions, part) < 60_000, `${blobsIn(regions, part)}`);
    assert.ok(Math.abs(blobsIn(regions, { x: 0, y: 0, ...size }) - 1_800_000) < 1);
  });

  it("overlaps exactly the regions of its pixels", () => {
    const { part } = visiblePart(zoomAt(fullView, 4, 0, 0), size, { width: 736, height: 490 });
    assert.deepEqual(regionsIn(list, part), [0]);
    assert.deepEqual(
      regionsIn(list, visiblePart(fullView, size, { width: 736, height: 490 }).part),
      [0, 1, 2, 3, 4, 5],
    );
    const middle = visiblePart(zoomAt(fullView, 32, 0.5, 0.5), size, { width: 736, height: 490 });
    assert.deepEqual(regionsIn(list, middle.part), [1, 4]);
    for (const [i, { x, y, width, height }] of list.entries()) {
      assert.equal(regionAt(list, x, y), i);
      assert.equal(regionAt(list, x + width - 0.01, y + height - 0.01), i);
    }
  });
});
