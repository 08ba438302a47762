// `npm run phrases [FILE…]`: lists the phrases that our pages, comments, strings and test titles avoid, by file.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findPhrases } from "./support/phrases.js";

const asked = process.argv.slice(2);
const files = execFileSync("git", ["ls-files", ...asked], { encoding: "utf8" })
  .trim()
  .split("\n");
const counts = new Map<string, number>();
for (const file of files) {
  for (const { line, phrase, text } of findPhrases(file, () => readFileSync(file, "utf8"))) {
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
    console.log(`${file}:${line}: ${phrase}: ${text.trim()}`);
  }
}
console.log("\n| phrase | times |\n| --- | --- |");
for (const [phrase, times] of [...counts].sort(([, a], [, b]) => b - a)) console.log(`| ${phrase} | ${times} |`);
