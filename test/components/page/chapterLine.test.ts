import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { minutesOf } from "../../../src/components/page/chapterLine.js";

describe("minutesOf", () => {
  it("counts words of prose and slots, and neither code nor front matter", () => {
    const words = "word ".repeat(400);
    assert.equal(minutesOf(words), 2);
    assert.equal(minutesOf(`---\ntitle: ${words}\n---\n\n${words}\n\`\`\`js\n${words}\n\`\`\`\n`), 2);
    assert.equal(minutesOf(`${words}<div class="slot">\n</div>\n<p class="learn-note slot">`), 3);
  });
});
