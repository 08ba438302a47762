// What is where: the sections of all pages, what they say, and the figures that their cells make.
import { readFileSync } from "node:fs";

const chapters = ["workgroups", "tiles", "sorting", "blending", "undo", "gradients", "adam", "step", "realtime"];
const pages = [
  ...["learn/index", ...chapters.map((name) => `learn/${name}`)],
  ...["index", "kernels", "sweep", "compare", "quality", "performance", "reports/index"],
];

/** The id that Framework gives a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");
}

/** The words of a part of a page, without cells, elements and marks. */
function wordsOf(markdown: string): string {
  return markdown
    .replace(/^(`{3,})[^\n]*\n.*?^\1/gms, "")
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…")
    .replace(/<[^>]+>|^#+ .+$/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*$\\]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function sectionsOf(path: string) {
  const text = readFileSync(new URL(`${path}.md`, import.meta.url), "utf8");
  const [, title] = /^# (.+)$/m.exec(text)!;
  const parts = text.slice(text.indexOf(`# ${title}`)).split(/^(?=#{2,3} )/m);
  return parts.map((part) => {
    const heading = /^#{2,3} (.+)$/m.exec(part)?.[1];
    const figures = part.matchAll(/(?:figure\(\s*\{\s*title: "|<figcaption><strong>)([^"<]+)/g);
    const address = path.replace(/index$/, "") + (heading ? `#${slugOf(heading)}` : "");
    const told = { page: title, heading: heading?.replace(/[`$*]/g, "") ?? title, address: `./${address}` };
    return { ...told, figures: Array.from(figures, ([, name]) => name), text: wordsOf(part) };
  });
}

process.stdout.write(JSON.stringify(pages.flatMap(sectionsOf)));
