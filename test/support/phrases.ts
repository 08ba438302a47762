import { passagesOf } from "./prose.js";

/** Phrases that we avoid: what to write instead, and what finds them. */
export const phrases: [phrase: string, instead: string, pattern: RegExp][] = [
  ["comes to", "equals, reaches, produces, the current values", /\b(?:comes?|came|coming) to\b/i],
  ["is told, tells", "is reported, shows, declares, gets", /\b(?:tells?|told|telling)\b/i],
  ["says of itself", "reports, declares", /\bsa(?:ys?|id) of\b/i],
  ["stands in", "is in, is next to, appears", /\bst(?:and|ands|ood|anding) (?:in|beside|there|at|by|where|as)\b/i],
  ["in place of", "instead of", /\bin place of\b/i],
  ["whose", "of which, with, its", /\bwhose\b/i],
  ["nobody, somebody", "no reader, a reader, no one", /\b(?:nobody|somebody)\b/i],
  [
    "who, for things",
    "that, which",
    /\b(?:run|page|cell|worker|thread|blob|process|machine|adapter|server|client)s? who\b/i,
  ],
  ["anew", "again", /\banew\b/i],
  ["by lot", "at random", /\bby lot\b/i],
  ["by turns", "alternately", /\b(?:by turns|turn by turn|in turns)\b/i],
  ["at its own", "separately", /\bat (?:its|their) own\b/i],
  ["all that there is", "everything, all", /\ball that there (?:is|are)\b/i],
  ["as far as", "up to, if", /\bas far as\b/i],
  ["way back", "backward pass", /\bway back\b/i],
  ["what is where", "Index", /\bwhat (?:is where|came of it)\b/i],
  ["take along", "export", /\btak(?:e|es|en|ing) (?:it |them |this )?along\b/i],
  ["run on", "continue", /\b(?:runs? on|go(?:es)? on with it)\b/],
  ["meanwhile also", "while", /\balso (?:where|when|while)\b/i],
  ["not any more", "no longer", /\bno more\b|\bany more\b/i],
  ["picture", "image", /\bpictures?\b/i],
  ["twin", "CPU reference", /\btwins?\b/i],
  ["short-list", "tile list", /\bshort-lists?\b/i],
  ["crew", "worker pool", /\bcrews?\b/i],
  ["growth", "densification, density control", /\bgrowth\b/i],
  ["the seeds", "the original algorithm", /\bthe seeds\b/i],
  ["stretch", "batch", /\bstretch(?:es)?\b/i],
  ["a look", "a snapshot", /\b(?:a|the|each|one|every|this|that|no|next|last|newest) looks?\b/i],
  ["halted", "overflow, retry", /\bhalted\b/i],
  ["wanted and made", "target and render", /\b(?:made and wanted|wanted and made)\b/i],
  ["least light left", "transmittance", /\b(?:least )?light left\b/i],
];

export interface FoundPhrase {
  line: number;
  phrase: string;
  text: string;
}

/** Files that quote the phrases, or that others wrote. */
const exempt = /^(?:test\/support\/phrases\.ts|package-lock\.json|data\/.*|src\/data\/.*|LICENSE|.*\.json)$/;

/** Returns the phrases to avoid that a file contains, each with its line. */
export function findPhrases(file: string, read: () => string): FoundPhrase[] {
  if (exempt.test(file) || !/\.(ts|js|md|css|wgsl|cff)$/.test(file)) return [];
  return passagesOf(file, read()).flatMap(({ line, text }) =>
    phrases.filter(([, , pattern]) => pattern.test(text)).map(([phrase]) => ({ line, phrase, text })),
  );
}
