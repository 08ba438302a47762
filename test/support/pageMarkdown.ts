import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Returns the Markdown of a page such as "docs/files": its file, or the output of its page loader. */
export function pageMarkdown(path: string): string {
  const file = `src/${path}.md`;
  if (existsSync(file)) return readFileSync(file, "utf8");
  return execFileSync(process.execPath, ["--import", "tsx", `${file}.ts`], { encoding: "utf8", maxBuffer: 2 ** 24 });
}
