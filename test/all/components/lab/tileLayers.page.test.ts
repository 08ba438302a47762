import assert from "node:assert/strict";
import { it } from "vitest";
import { openPage } from "../../../support/pages.js";

/** In the page: the colours of two tiles over a red and a blue pixel, and of the tiles alone. */
const draw = `(async () => {
  // As in Safari.
  delete CanvasRenderingContext2D.prototype.filter;
  const modules = await (await fetch("/_import/modules.json")).json();
  const moduleOf = (path) => import("/_import/" + modules[path]);
  const { tileLayers } = await moduleOf("components/lab/tileLayers.js");
  const target = { width: 2, height: 1 };
  const render = { ...target, data: new Float32Array([1, 0, 0, 1, 0, 0, 1, 1]) };
  const tiles = { size: [1, 1], across: 2, down: 1, lengths: new Uint32Array([4, 4]), passes: new Uint32Array(2) };
  const scene = { target, inspection: { render, tiles }, boxes: [] };
  const colours = async (layers) => {
    const canvas = await tileLayers(scene, layers, 2);
    return [...canvas.getContext("2d").getImageData(0, 0, 2, 1).data];
  };
  return { over: await colours(["render", "tiles"]), ramp: await colours(["tiles"]) };
})()`;

it("tileLayers() draws the render in grey below the tiles, also if canvases have no filter", async () => {
  const { page } = await openPage("/help", { webgpu: false });
  const { over, ramp } = await page.evaluate<{ over: number[]; ramp: number[] }>(draw);
  for (const pixel of [0, 4]) {
    const [red, green, blue] = [0, 1, 2].map((i) => (over[pixel + i] - 0.6 * ramp[pixel + i]) / 0.4);
    assert.ok(red > 10, `${red}`);
    assert.ok(Math.max(Math.abs(red - green), Math.abs(red - blue)) < 4, `${over} over ${ramp}`);
  }
});
