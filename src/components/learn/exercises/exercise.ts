import { blockAt, markedLines } from "../../../engine/marks.js";

/** A wrong answer that learners give, and what to say to it. */
interface Mistake {
  code: string;
  says: string;
  /**
   * Matches code with a data race, without its comments. It is recognized by its text, since a GPU may run the threads in
   * an order that gives the right results.
   */
  race?: RegExp;
}

/**
 * A blank in a kernel. The answer is judged by what the edited code computes, and a mistake is recognized by its results.
 */
export interface Exercise {
  /** The chapter and a name, such as "undo.transmittance". */
  id: `${string}.${string}`;
  title: string;
  /** What to write, as a sentence. */
  task: string;
  /** WGSL file below shaders/. */
  file: string;
  /** The hidden code, which occurs once in the file: the solution. */
  hides: string;
  hint: string;
  /** Why the solution is right, as sentences. */
  reason: string;
  mistakes: Mistake[];
  /** The pipeline that runs the kernel; `tiled` if absent. */
  pipeline?: "tiled" | "binned";
}

/** Returns a source with an answer in its blank. @throws Error if the hidden code does not occur exactly once */
export function fillBlank(source: string, { file, hides }: Pick<Exercise, "file" | "hides">, answer: string): string {
  const [before, after, ...more] = source.split(hides);
  if (after === undefined || more.length > 0) {
    throw new Error(`${file} must contain “${hides}” exactly once.`);
  }
  return before + answer + after;
}

/** Returns code in which the solutions of other exercises in the same file are replaced by comments. */
export function withoutSolutions(code: string, file: string, others: readonly Exercise[]): string {
  const inFile = others.filter((exercise) => exercise.file === file);
  return inFile.reduce((text, { title, hides }) => text.replace(hides, () => `/* exercise “${title}” */`), code);
}

/** Most lines of an excerpt. */
const longestExcerpt = 28;

/** Returns the declaration that contains a blank, or the nearest lines of a long one: the code before and after the blank. */
export function excerptOf(source: string, exercise: Exercise): { before: string; after: string } {
  const { hides } = exercise;
  const at = fillBlank(source, exercise, hides).indexOf(hides);
  const lines = markedLines(source);
  const lineOf = (index: number) => source.slice(0, index).split("\n").length - 1;
  const [first, last] = [lineOf(at), lineOf(at + hides.length)];
  let start = first;
  while (start > 0 && !/^(?:fn |@|var|override|const )/.test(lines[start].text)) start--;
  let end = Math.max(start + blockAt(lines, start).length - 1, last);
  if (end - start >= longestExcerpt) {
    start = Math.max(start, first - longestExcerpt / 2);
    end = Math.min(end, last + longestExcerpt / 2);
  }
  const offsetOf = (line: number) => source.split("\n").slice(0, line).join("\n").length + Number(line > 0);
  return {
    before: source.slice(offsetOf(start), at),
    after: source.slice(at + hides.length, offsetOf(end + 1)).trimEnd(),
  };
}
