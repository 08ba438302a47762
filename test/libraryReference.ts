// `npm run reference`: writes the exports of the library with their docstrings to src/docs/library.json, with `deno doc`.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LibraryEntry, LibraryMember } from "../src/docs/libraryEntry.js";
import { isMain, projectRoot } from "../src/host/node/install.js";
import { deno, setup } from "./support/deno.js";

/** The recorded reference, since builds have no Deno. */
export const referenceFile = join(projectRoot, "src", "docs", "library.json");

const offline = ["--no-remote", "--no-npm", "--no-config", "--no-lock"];

/** Returns the contents of the file. */
export function libraryReference(): string {
  const args = ["doc", "--unstable-sloppy-imports", ...offline, "src/splatbook.ts"];
  const env = { ...process.env, DENO_DIR: join(projectRoot, ".dev", "deno"), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
  const text = execFileSync(deno()!, args, {
    cwd: projectRoot,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const root = `file://${projectRoot
    .replaceAll("\\", "/")
    .replace(/^(?!\/)/, "/")
    .replace(/(?<!\/)$/, "/")}`;
  const entries = text
    .split(/^Defined in /m)
    .slice(1)
    .map((entry): LibraryEntry => {
      const [place, , signature, ...rest] = entry.split("\n");
      const [, name] = /(?:function|class|interface|type|const) (\w+)/.exec(signature)!;
      return {
        name,
        file: place.replace(root, "").replace(/:\d+:\d+$/, ""),
        ...documented(
          signature,
          rest.map((line) => line.slice(2)),
        ),
      };
    });
  return `${JSON.stringify(entries, null, 2)}\n`;
}

/** Parses the lines below a signature: text, tags, and members with their own lines. */
function documented(signature: string, lines: string[]): Omit<LibraryEntry, "name" | "file"> {
  const text: string[] = [];
  const tags: LibraryEntry["tags"] = [];
  const members: LibraryMember[] = [];
  const isInterface = /^(?:class|interface) /.test(signature);
  for (let i = 0; i < lines.length; ) {
    const line = lines[i++];
    const below: string[] = [];
    const takeBelow = () => {
      while (i < lines.length && (lines[i].startsWith("  ") || (lines[i] === "" && /^ {2}/.test(lines[i + 1] ?? ""))))
        below.push(lines[i++].slice(2));
    };
    const [, tag, of] = /^@(\w+)(?: (.+))?$/.exec(line) ?? [];
    if (tag !== undefined) {
      takeBelow();
      tags.push({ tag, ...(of && { of }), text: below.join(" ").replace(/\s+/g, " ").trim() });
    } else if (isInterface && members.length + text.filter((line) => line === "").length > 0 && line !== "") {
      takeBelow();
      if (!line.startsWith("private ")) members.push({ signature: line, ...withoutMembers(documented(line, below)) });
    } else text.push(line);
  }
  return { signature, text: text.join(" ").replace(/\s+/g, " ").trim(), tags, members };
}

function withoutMembers({ text, tags }: ReturnType<typeof documented>): Omit<LibraryMember, "signature"> {
  return { text, tags };
}

if (isMain(import.meta.url)) {
  setup();
  writeFileSync(referenceFile, libraryReference());
}
