import assert from "node:assert/strict";
import { describe, it, vi } from "vitest";
import { FarmProgress } from "../../src/farm/farmProgress.js";
import { pinLines, showLine } from "../../src/terminal/progress.js";
import { screenAfter, useTerminal } from "../support/terminal.js";

describe("FarmProgress", () => {
  it("keeps lines above its bar on a terminal, and messages above them", () => {
    useTerminal(70, 24);
    let output = "";
    const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      output += text;
      return true;
    });
    const progress = new FarmProgress(4, "runs");
    progress.pin(["first"]);
    showLine("A worker has ended.");
    progress.pin(["second", "third"]);
    progress.show(3, { a: 1 });
    showLine("Another one.");
    const shown = screenAfter(output);
    progress.stop();
    pinLines(["last"]);
    pinLines([]);
    write.mockRestore();
    assert.deepEqual(shown.slice(0, 4), ["A worker has ended.", "Another one.", "second", "third"]);
    assert.deepEqual(screenAfter(output), ["A worker has ended.", "Another one.", ""]);
  });
});
