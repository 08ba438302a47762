import slugify from "@sindresorhus/slugify";
import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";

/** Heights of a page's slots in CSS pixels, by the slot's name. */
export type SlotHeights = Record<string, [wide: number, phone: number]>;

/** The file of the heights of all pages, by page such as "learn/tiles". Each is measured at 1440 and 390 pixels. */
export const slotHeightsFile = "components/page/rooms.json";

const slotTag = /<\w+ class="(?:[^"]* )?slot(?=[ "])/g;

/**
 * Names each slot of a page in `data-slot` after its heading and its number below it, such as "the-barrier-2", and sets its
 * recorded height, which page.css reserves until the slot's cells show something.
 * @param read returns the text of a file below src/
 */
export function slotHeightRule(markdown: MarkdownIt, read: (path: string) => string): void {
  markdown.core.ruler.after("block", "rooms", ({ tokens, env }) => {
    if (typeof env.path !== "string") return;
    const slotHeights: SlotHeights = JSON.parse(read(slotHeightsFile))[env.path.slice(1)] ?? {};
    nameSlots(tokens, (name) => {
      const [wide, phone] = slotHeights[name] ?? [];
      const style = wide === undefined ? "" : ` style="--room: ${wide}px; --phone-room: ${phone}px"`;
      return ` data-slot="${name}"${style}`;
    });
  });
}

/** Adds attributes to the tags of a page's slots, by their names. */
function nameSlots(tokens: Token[], attributesOf: (name: string) => string): void {
  const counts = new Map<string, number>();
  let heading = "";
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") heading = slugify(tokens[index + 1].content);
    if (token.type !== "html_block") continue;
    token.content = token.content.replace(slotTag, (tag) => {
      const number = (counts.get(heading) ?? 0) + 1;
      counts.set(heading, number);
      return tag.replace(" class=", `${attributesOf(`${heading}-${number}`)} class=`);
    });
  }
}
