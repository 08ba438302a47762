// `npm run phrases [-- PATH…]`: lists the phrases to avoid in pages, comments, strings and test titles, by file.
import { phrases, phrasesInProject } from "./support/phrases.js";

const paths = process.argv.slice(2);
const found = phrasesInProject(paths.length > 0 ? paths : undefined);
for (const { file, line, phrase, text } of found) console.log(`${file}:${line}: ${phrase}: ${text}`);

console.log("\n| phrase | instead | times |\n| --- | --- | --- |");
const rows = phrases.map(([phrase, instead]) => ({
  phrase,
  instead,
  times: found.filter((item) => item.phrase === phrase).length,
}));
for (const { phrase, instead, times } of rows.filter(({ times }) => times > 0).sort((a, b) => b.times - a.times))
  console.log(`| ${phrase} | ${instead} | ${times} |`);
