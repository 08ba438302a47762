import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { it } from "vitest";
import { projectRoot } from "../../src/host/node/install.js";

it("workOffline() lets Framework build without a network, with implicit libraries and imported packages", () => {
  const folder = mkdtempSync(join(tmpdir(), "splatbook-"));
  try {
    mkdirSync(join(folder, "src"));
    symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction");
    // Framework takes long to bundle installed packages, so the test uses the cache of the project's build.
    const ofPackages = join("src", ".observablehq", "cache", "_node");
    if (existsSync(join(projectRoot, ofPackages))) {
      cpSync(join(projectRoot, ofPackages), join(folder, ofPackages), { recursive: true });
    }
    const offline = pathToFileURL(join(projectRoot, "src", "site", "offline.ts"));
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    writeFileSync(
      join(folder, "observablehq.config.ts"),
      `import {workOffline} from "${offline}";
       await workOffline("src");
       export default {root: "src", title: "try", globalStylesheets: ["observablehq:stdlib/inputs.css"]};`,
    );
    writeFileSync(join(folder, "src", "data.csv"), "a\n1\n");
    writeFileSync(
      join(folder, "src", "index.md"),
      [
        '```js\nimport * as bare from "@observablehq/plot";\nimport {tableFromArrays} from "apache-arrow";\n```',
        "```js\nbare.plot(), tableFromArrays({}), Plot.plot(), Arrow.Table, d3.sum([]), Inputs.range()\n```",
        '```js\nFileAttachment("data.csv").csv()\n```',
        '```js\nFileAttachment("data.csv").arrow()\n```',
        "```html\n<b>$" + "{1}</b>\n```\n",
      ].join("\n\n"),
    );
    const framework = join(projectRoot, "node_modules", "@observablehq", "framework", "dist", "bin", "observable.js");
    const noNetwork = pathToFileURL(join(projectRoot, "test", "support", "noNetwork.js"));
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", noNetwork.href, framework, "build"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, OBSERVABLE_TELEMETRY_DISABLE: "1" },
    });
    assert.equal(status, 0, stdout + stderr);
    assert.ok(readdirSync(join(folder, "dist")).includes("index.html"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
