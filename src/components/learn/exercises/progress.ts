/** The latest answer to an exercise. */
export interface Answer {
  /** "wgsl"; answers of earlier versions may be in TypeScript. */
  language: string;
  code: string;
  isRight: boolean;
}

const key = "splatbook.exercises";

/** Returns the answers that are stored in this browser by the exercise's id, none where its storage is not readable. */
export function storedAnswers(): Record<string, Answer | undefined> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** Stores an answer in this browser; returns whether it could. */
export function storeAnswer(id: string, code: string, isRight: boolean): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ ...storedAnswers(), [id]: { language: "wgsl", code, isRight } }));
    return true;
  } catch {
    return false;
  }
}
