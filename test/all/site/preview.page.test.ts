import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { it, onTestFinished } from "vitest";
import { freePort } from "../../support/freePort.js";
import { openPage, until, waitForRun } from "../../support/pages.js";

it("npm start serves the lab, which trains without a complaint of the browser, and prints no requests", async () => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const options = ["--no-open", "--port", new URL(origin).port];
  const env = { ...process.env, FORCE_COLOR: "1" };
  const child = spawn(process.execPath, ["src/site/framework.js", "preview", ...options], { env });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
  await until(
    async () => printed,
    (text) => text.includes(origin),
    "what the preview prints",
  );
  const { page, complaints } = await openPage(`${origin}/?blobs=8&steps=4&size=16`, { webgpu: false });
  await page.getByLabel("Learning rate", { exact: true }).waitFor();
  await waitForRun(page, "Done");
  // Before the server ends, which an open page reports.
  await page.context().close();
  assert.deepEqual(complaints, []);
  assert.doesNotMatch(printed, /GET|socket|hello/);
});
