import assert from "node:assert/strict";
import sharp from "sharp";
import { describe, it } from "vitest";
import { toSvg } from "../../../../src/engine/files/svg/svg.js";
import { type Size, toImage } from "../../../../src/engine/image/image.js";
import { psnr } from "../../../../src/engine/image/metrics.js";
import { openBrowser } from "../../../support/pages.js";
import { renderOnCpu } from "../../../support/renderOnCpu.js";
import { modelName, models, type Scene, sceneOf } from "../../../support/scenes.js";

describe("toSvg() as a browser shows it", () => {
  /** Returns the browser's render of an SVG, and the error of its XML parser. */
  async function shown(text: string, size: Size) {
    const page = await (await openBrowser()).newPage({ viewport: { width: 200, height: 200 } });
    try {
      await page.setContent(`<style>body{margin:0}svg{display:block}</style>${text}`);
      const parserError = await page.evaluate((xml) => {
        const parsed = new DOMParser().parseFromString(xml, "image/svg+xml");
        return parsed.querySelector("parsererror")?.textContent;
      }, text);
      const shot = await page.screenshot({ clip: { x: 0, y: 0, ...size } });
      const bytes = await sharp(shot).ensureAlpha().raw().toBuffer();
      return { parserError, render: { ...size, data: Float32Array.from(bytes, (value) => value / 255) } };
    } finally {
      await page.close();
    }
  }

  async function compared({ config, image, state }: Scene, at: Size = image) {
    const size = { width: at.width, height: at.height };
    const { text, limits } = toSvg(config, image, state.parameters, size);
    const { parserError, render } = await shown(text, size);
    assert.equal(parserError, undefined);
    const engine = await renderOnCpu(config, image, state.parameters, size);
    let furthest = 0;
    for (const [i, value] of toImage(engine).data.entries()) {
      if ((i & 3) < 3) furthest = Math.max(furthest, Math.abs(255 * render.data[i] - value));
    }
    return { text, limits, decibels: psnr(render, toImage(engine)), furthest };
  }

  for (const model of models) {
    it(`equals the engine's render except for rounding, of ${modelName(model)}`, async () => {
      const { decibels, furthest } = await compared(small(model, 24));
      const least = model.blend === "sum" ? 48 : 42;
      assert.ok(decibels > least && furthest <= 16, `${decibels} dB, off by ${furthest} of 255 at most`);
    });
  }

  it("shows the middle, like the engine, at any size", async () => {
    for (const model of [models[3], models[7]]) {
      const { decibels } = await compared(small(model, 10), { width: 90, height: 100 });
      assert.ok(decibels > 42, `${decibels} dB`);
    }
  });

  it("sums contributions far beyond 0 and 1", async () => {
    const job = small(models[7], 12);
    // Two more copies of each blob, with a colour of 0.7 and of −0.7.
    const { config, image, state } = job;
    const parameters = new Float32Array(3 * state.parameters.length);
    for (let field = 0; field < 9; field++) {
      for (let copy = 0; copy < 3; copy++) {
        const column = state.parameters.slice(12 * field, 12 * (field + 1));
        if (copy > 0 && field >= 5 && field < 8) column.fill(copy === 1 ? 0.7 : -0.7);
        parameters.set(column, 36 * field + 12 * copy);
      }
    }
    const { decibels } = await compared({ config: { ...config, blobs: 36 }, image, state: { ...state, parameters } });
    assert.ok(decibels > 42, `${decibels} dB`);
  });

  it("needs no filter or blend mode for alpha compositing of colours in 0 to 1", async () => {
    const { text, decibels } = await compared(small(models[0], 24));
    assert.doesNotMatch(text, /filter|blend/);
    assert.ok(decibels > 42);
  });
});

/** Returns a scene of a model; with the original background colours are in 0..1, since others cannot be exact. */
function small(model: (typeof models)[number], blobs: number): Scene {
  const job = sceneOf(model, { blobs }, 48, 32);
  const { parameters } = job.state;
  if (model.background !== "original") return job;
  for (let i = 5 * blobs; i < 8 * blobs; i++) parameters[i] = Math.min(Math.max(parameters[i], 0), 1);
  return job;
}
