// What is where: the pages with their sections, and the figures that each section's cells make.
import { readFileSync } from "node:fs";

const chapters = ["workgroups", "tiles", "sorting", "blending", "undo", "gradients", "adam", "step", "realtime"];
const pages = [
  ...chapters.map((name) => `learn/${name}`),
  ...["index", "kernels", "sweep", "compare", "quality", "performance"],
];

/** The id that Framework gives a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");
}

function contentsOf(path: string) {
  const text = readFileSync(new URL(`../${path}.md`, import.meta.url), "utf8");
  const [, title] = /^# (.+)$/m.exec(text)!;
  const sections = text.split(/^(?=#{2,3} )/m).slice(1);
  return {
    path,
    title,
    sections: sections.map((section) => {
      const [, heading] = /^#{2,3} (.+)$/m.exec(section)!;
      const figures = section.matchAll(/(?:figure\(\s*\{\s*title: "|<figcaption><strong>)([^"<]+)/g);
      return { heading, id: slugOf(heading), figures: Array.from(figures, ([, title]) => title) };
    }),
  };
}

process.stdout.write(JSON.stringify(pages.map(contentsOf)));
