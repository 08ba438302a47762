import { blockAt, markedLines } from "../../../engine/marks.js";

/** The languages in which exercises can be solved. */
export const exerciseLanguages = ["wgsl", "typescript"] as const;

export type ExerciseLanguage = (typeof exerciseLanguages)[number];

/** Returns the name of a language, as people write it. */
export function languageName(language: ExerciseLanguage): string {
  return language === "wgsl" ? "WGSL" : "TypeScript";
}

/** An expression or statement of the project's code that the reader has to write. */
export interface Blank {
  /** WGSL file below shaders/, or TypeScript file below src/engine/. */
  file: string;
  /** The hidden code, which occurs once in the file: the solution. */
  hides: string;
  /** What to write if this language needs other words than the exercise's task. */
  task?: string;
}

/** A wrong answer that learners give, in one language or both, and what to say to it. */
interface Mistake {
  wgsl?: string;
  typescript?: string;
  says: string;
  /**
   * Matches WGSL with a data race, without its comments. It is recognized by its text, since a GPU may run the threads in
   * an order that gives the right results.
   */
  race?: RegExp;
}

/**
 * A blank in a kernel and in its CPU reference. The answer is judged by what the edited code computes, and a mistake is
 * recognized by its results.
 */
export interface Exercise {
  /** The chapter and a name, such as "undo.transmittance". */
  id: `${string}.${string}`;
  title: string;
  /** What to write, as a sentence. */
  task: string;
  wgsl: Blank;
  /** Absent if the CPU reference has no such code. */
  typescript?: Blank;
  hint: string;
  /** Why the solution is right, as sentences. */
  reason: string;
  mistakes: Mistake[];
  /** The pipeline that runs the kernel; `tiled` if absent. */
  pipeline?: "tiled" | "binned";
}

/** The languages of an exercise. */
export function languagesOf({ typescript }: Exercise): ExerciseLanguage[] {
  return typescript ? ["wgsl", "typescript"] : ["wgsl"];
}

/** Returns a source with an answer in its blank. @throws Error if the hidden code does not occur exactly once */
export function fillBlank(source: string, { file, hides }: Blank, answer: string): string {
  const [before, after, ...more] = source.split(hides);
  if (after === undefined || more.length > 0) {
    throw new Error(`${file} must contain “${hides}” exactly once.`);
  }
  return before + answer + after;
}

/** Returns code in which the solutions of other blanks of the same file are replaced by comments. */
export function withoutSolutions(
  code: string,
  file: string,
  others: readonly { title: string; blank: Blank }[],
): string {
  const inFile = others.filter(({ blank }) => blank.file === file);
  return inFile.reduce((text, { title, blank }) => text.replace(blank.hides, () => `/* exercise “${title}” */`), code);
}

/** The declaration around a blank: the code before and after the hidden part, and the line at which it begins. */
export interface Excerpt {
  before: string;
  after: string;
  firstLine: number;
}

/** Most lines of an excerpt. */
const longestExcerpt = 28;

/** Returns the declaration that contains a blank, or the nearest lines of a long one. */
export function excerptOf(source: string, blank: Blank): Excerpt {
  const at = fillBlank(source, blank, blank.hides).indexOf(blank.hides);
  const lines = markedLines(source);
  const lineOf = (index: number) => source.slice(0, index).split("\n").length - 1;
  const [first, last] = [lineOf(at), lineOf(at + blank.hides.length)];
  let start = first;
  while (start > 0 && !/^(?:export |fn |function|@|var|override|const )/.test(lines[start].text)) start--;
  let end = Math.max(start + blockAt(lines, start).length - 1, last);
  if (end - start >= longestExcerpt) {
    start = Math.max(start, first - longestExcerpt / 2);
    end = Math.min(end, last + longestExcerpt / 2);
  }
  const offsetOf = (line: number) => source.split("\n").slice(0, line).join("\n").length + Number(line > 0);
  return {
    before: source.slice(offsetOf(start), at),
    after: source.slice(at + blank.hides.length, offsetOf(end + 1)).trimEnd(),
    firstLine: start + 1,
  };
}
