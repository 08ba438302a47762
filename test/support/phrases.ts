import { readdirSync, readFileSync, statSync } from "node:fs";
import { posix } from "node:path";
import { passagesOf } from "./prose.js";

/** Phrases that we avoid: what to write instead, and a pattern that finds them. */
export const phrases: [phrase: string, instead: string, pattern: RegExp][] = [
  ["comes to", "equals, reaches, produces, the current values", /\b(?:comes?|came|coming) to\b/i],
  ["is told, tells", "is reported, shows, declares, gets", /\b(?:tells?|told|telling)\b/i],
  ["says of itself", "reports, declares", /\bsa(?:ys?|id) of\b/i],
  [
    "stands in",
    "is in, is next to, appears",
    /\bst(?:ands?|ood|anding) (?:in|beside|there|at|by|where|as|above|below|behind|between|under)\b/i,
  ],
  ["as it stands", "unchanged, as it is", /\bas (?:it|they) stands?\b/i],
  ["in place of", "instead of", /\bin (?:the )?place of\b/i],
  ["whose", "of which, with, its", /\bwhose\b/i],
  ["nobody, somebody", "no reader, a reader, no one", /\b(?:nobody|somebody)\b/i],
  [
    "who, for things",
    "that, which",
    /\b(?:run|page|cell|worker|thread|blob|process|machine|adapter|server|client)s? who\b/i,
  ],
  ["anew, afresh", "again", /\b(?:anew|afresh)\b/i],
  ["by lot", "at random", /\b(?:by|at) lot\b/i],
  ["by turns", "alternately", /\b(?:by turns|turn by turn|in turns)\b/i],
  ["at its own", "separately", /\bat (?:its|their) own\b/i],
  ["all that there is", "everything, all", /\ball that there (?:is|are)\b/i],
  ["is there", "exists, is in …", /(?<!\bwhy \w+ )\b(?:is|are|was|were) (?:not )?there(?=[.,;:)]|$)/i],
  ["as far as", "up to, if", /(?<!\bmoves? \w+ \w+ )\bas far as\b/i],
  ["as at first", "as initially", /\bas at first\b/i],
  ["how near", "the error, the quality", /\bhow near\b/i],
  ["for ever", "forever, permanently", /\bfor ever\b/i],
  ["holds still", "does not move", /\bhold(?:s|ing)? still\b|\bheld still\b/i],
  ["goes on with", "continues, resumes", /\b(?:go|goes|going|went|gone) on with\b/i],
  ["meanwhile", "while …, during …", /\bmeanwhile\b/i],
  [
    "a step, a pixel",
    "per step, per pixel",
    /\b(?:ms|milliseconds|bits|bytes|steps|rows) an? (?:step|pixel|second|blob|row)\b/i,
  ],
  ["with a sentence", "with an error", /\b(?:refused|rejected|fails?) (?:with|in) (?:a|one) sentence\b/i],
  ["way back", "backward pass", /\bway back\b/i],
  ["what is where", "Index", /\bwhat (?:is where|came of it)\b/i],
  ["take along", "export", /\btak(?:e|es|en|ing) (?:it |them |this )?along\b/i],
  ["Run on, Keep, Forget", "Continue, Save run, Delete", /^\s*(?:Run on|Keep|Forget|Go on)\s*$/],
  ["the newest step", "the latest step", /\bnewest steps?\b/i],
  ["meanwhile also", "while", /\balso (?:where|when|while)\b/i],
  ["not any more", "no longer", /\bno more(?! than)\b|\bany more\b/i],
  ["picture", "image", /(?<![.\w-])pictures?\b(?!\.\w|[:="-])/i],
  ["twin", "CPU reference", /\btwins?\b/i],
  ["short-list", "tile list", /\bshort-lists?\b/i],
  ["crew", "worker pool", /\bcrews?\b/i],
  ["growth", "densification, density control", /\bgrowth\b/i],
  ["the seeds", "the original algorithm", /\bthe seeds\b/i],
  ["stretch", "batch", /\b(?:a|each|every|one|per) stretch\b|\bstretches\b/i],
  ["a look", "a snapshot", /\b(?:a|the|each|every|next|last|newest) looks?\b/i],
  ["halted", "overflow, retry", /\bhalted\b/i],
  ["wanted and made", "target and render", /\b(?:made and wanted|wanted and made)\b/i],
  ["least light left", "transmittance", /\b(?:least )?light left\b/i],
];

/** Names in recorded files, which stay as they are. */
const recordedNames = ["growth", "no growth", "sum in place of over", "over in place of sum"];

/** The chapter that shows the original algorithm with its short-list. */
const tilesChapter = "src/learn/tiles.md";

interface FoundPhrase {
  line: number;
  phrase: string;
  text: string;
}

/** Returns the phrases to avoid in a file's text for people, each with its line. */
export function findPhrases(path: string, source: string): FoundPhrase[] {
  const passages = passagesOf(path, source).filter(({ text }) => !recordedNames.includes(text));
  return passages.flatMap(({ line, text }) =>
    phrases
      .filter(([phrase, , pattern]) => pattern.test(text) && !(phrase === "short-list" && path === tilesChapter))
      .map(([phrase]) => ({ line, phrase, text: text.trim() })),
  );
}

/** The folders and files with text that we write. */
const roots = ["src", "shaders", "test", ...readdirSync(".").filter((name) => /\.(md|cff|ts)$/.test(name))];
/** Files that quote the phrases, or that we did not write. */
const exempt = /(^|\/)(\.observablehq|oldNames)\/|^src\/data\/|^test\/(support\/)?phrases\.(test\.)?ts$/;

/** Returns the phrases to avoid in the project's files, or in those below some paths. */
export function phrasesInProject(paths: readonly string[] = roots): (FoundPhrase & { file: string })[] {
  const files = roots.flatMap((root) =>
    statSync(root).isDirectory()
      ? readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) =>
          posix.join(root, name.replaceAll("\\", "/")),
        )
      : [root],
  );
  return files
    .filter((file) => /\.(ts|js|md|css|wgsl|cff)$/.test(file) && !exempt.test(file))
    .filter((file) => paths.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`)))
    .sort()
    .flatMap((file) => findPhrases(file, readFileSync(file, "utf8")).map((found) => ({ file, ...found })));
}
