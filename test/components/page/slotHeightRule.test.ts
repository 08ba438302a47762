import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import MarkdownIt from "markdown-it";
import { describe, it } from "vitest";
import { slotHeightRule } from "../../../src/components/page/slotHeightRule.js";
import { rooms } from "../../support/rooms.js";

function render(markdown: string, path: string, rooms: string): string {
  const parser = MarkdownIt({ html: true });
  slotHeightRule(parser, () => rooms);
  return parser.render(markdown, { path });
}

describe("slotHeightRule()", () => {
  const markdown = `# Tiles
<div class="pick-slot">
</div>

## The list
<div class="input-row slot" data-a="b">
<p class="slot">text</p>

text

<figure class="slot is-wide">
</figure>
`;
  const tagsOf = (html: string) => html.match(/<(div|p|figure) .*?>/g);

  it("names slots by their heading and sets their recorded height", () => {
    const rooms = {
      "learn/tiles": { "the-list-1": [10, 20], "the-list-3": [30, 40] },
      "learn/adam": { "the-list-2": [5, 6] },
    };
    assert.deepEqual(tagsOf(render(markdown, "/learn/tiles", JSON.stringify(rooms))), [
      '<div class="pick-slot">',
      '<div data-slot="the-list-1" style="--room: 10px; --phone-room: 20px" class="input-row slot" data-a="b">',
      '<p data-slot="the-list-2" class="slot">',
      '<figure data-slot="the-list-3" style="--room: 30px; --phone-room: 40px" class="slot is-wide">',
    ]);
  });
});

it("every slot of a page has a recorded height, and every height a slot", () => {
  const pages = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /^[^.].*\.md$/.test(file))
    .map((file) => file.replaceAll("\\", "/").replace(/\.md$/, ""));
  for (const page of new Set([...pages, ...Object.keys(rooms)])) {
    const text = pages.includes(page) ? readFileSync(`src/${page}.md`, "utf8").replace(/^---\n.*?\n---$/ms, "") : "";
    const names = [...render(text, `/${page}`, "{}").matchAll(/data-slot="([^"]*)"/g)].map(([, name]) => name);
    const kept = Object.keys(rooms[page] ?? {});
    assert.deepEqual(kept.toSorted(), names.toSorted(), `rooms.json lacks slots of ${page}, or has others.`);
  }
});
