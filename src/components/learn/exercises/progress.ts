import type { ExerciseLanguage } from "./exercise.js";

/** The latest answer to an exercise. */
export interface Answer {
  language: ExerciseLanguage;
  code: string;
  isRight: boolean;
}

/** The answers of a reader, by the exercise's id. */
export type Answers = Record<string, Answer>;

const key = "splatbook.exercises";

/** Returns the answers that are stored in this browser, none where its storage is not readable. */
export function storedAnswers(): Answers {
  try {
    return readAnswers(localStorage.getItem(key) ?? "{}");
  } catch {
    return {};
  }
}

/** Stores an answer in this browser; returns whether it could. */
export function storeAnswer(id: string, answer: Answer): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ ...storedAnswers(), [id]: answer }));
    return true;
  } catch {
    return false;
  }
}

/** Returns the answers in a text, without entries of another form. @throws SyntaxError if it is not JSON */
export function readAnswers(text: string): Answers {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, answer]) => isAnswer(answer))) as Answers;
}

function isAnswer(value: unknown): value is Answer {
  const { language, code, isRight } = (value ?? {}) as Partial<Answer>;
  return (language === "wgsl" || language === "typescript") && typeof code === "string" && typeof isRight === "boolean";
}
