import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Page } from "playwright-core";
import { inject, it } from "vitest";
import { freePort } from "../../support/freePort.js";
import { openPage, until, waitForRun } from "../../support/pages.js";

/** Starts `npm start`'s command. */
async function startPreview(): Promise<{ origin: string; stop(): Promise<void> }> {
  // The preview deletes files of a concurrent build, so this waits for the build.
  await fetch(inject("site"));
  const port = String(await freePort());
  const child = spawn(process.execPath, ["src/site/framework.js", "preview", "--no-open", "--port", port]);
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill();
    await ended;
  };
  const origin = `http://127.0.0.1:${port}`;
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
  await until(
    async () => printed,
    (text) => text.includes(origin),
    "what the preview prints",
  );
  return { origin, stop };
}

const knobNames = /^(Blobs|Learning rate|Tile|Tile list capacity \(GAUSSIANS_PER_BLOCK\))(, slider)?$/;

/** Returns the positions of the knobs and their labels, once all exist and the run has ended. */
async function knobs(page: Page): Promise<string[]> {
  await page.getByLabel("Learning rate", { exact: true }).waitFor();
  await page.getByText("All other settings").waitFor();
  // The space kept for the run bar, which is above them, differs from its height by a fraction of a pixel.
  await waitForRun(page, "Done");
  const labels = page.locator("label").filter({ hasText: knobNames });
  return labels.or(page.getByLabel(knobNames)).evaluateAll((controls) =>
    controls.map((control) => {
      const { x, y, width, height } = control.getBoundingClientRect();
      return [control.textContent || control.ariaLabel, ...[x, y, width, height].map(Math.round)].join(" ");
    }),
  );
}

it("the preview lays out the lab's first screen as the built site does", async () => {
  const { origin, stop } = await startPreview();
  try {
    const job = "?blobs=8&steps=4&size=16";
    const previewed = await openPage(`${origin}/${job}`, { webgpu: false });
    const built = await openPage(`/${job}`, { webgpu: false });
    const expected = await knobs(built.page);
    assert.ok(expected.length > 8, expected.join("\n"));
    assert.deepEqual(await knobs(previewed.page), expected);
    assert.deepEqual(previewed.complaints, []);
  } finally {
    await stop();
  }
});
