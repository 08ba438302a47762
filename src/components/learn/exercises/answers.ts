import { html } from "htl";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { saveFile } from "../../../host/browser/saveFile.js";
import { computeButton } from "../../inputs/computeButton.js";
import { tableOf } from "../../page/element.js";
import { chapters } from "../../page/pages.js";
import { allExercises, exercisesOfChapters } from "./allExercises.js";
import { checkAnswer } from "./checkAnswer.js";
import { describeVerdict, trialHost } from "./exerciseFigure.js";
import { type Answers, readAnswers, storedAnswers } from "./progress.js";

/** Returns a table of the chapters with their exercises; those that are solved in this browser have a tick. */
export function progressTable(answers: Answers = storedAnswers()): HTMLElement {
  const rows = chapters.map(([path, name]) => {
    const exercises = exercisesOfChapters[path] ?? [];
    const marks = exercises.map(({ id, title }) => {
      const isSolved = answers[id]?.isRight ?? false;
      return html`<li>${isSolved ? "✓" : "○"} ${title}<span class="visually-hidden">, ${isSolved ? "solved" : "open"}</span></li>`;
    });
    const href = `./${path.replace("learn/", "")}.html#exercises`;
    return html`<tr><th scope="row"><a href=${href}>${name}</a></th><td><ul class="exercise-marks">${marks}</ul></td></tr>`;
  });
  const solved = allExercises.filter(({ id }) => answers[id]?.isRight).length;
  return html`<div><p>${solved} of ${allExercises.length} exercises solved in this browser.</p>
    ${tableOf(["Chapter", "Exercises"], rows)}</div>`;
}

/** Returns a button that saves a reader's answers as a file, for `answersInput`. */
export function saveAnswersButton(answers: Answers = storedAnswers()): HTMLElement {
  const onclick = () =>
    saveFile("answers.json", new Blob([JSON.stringify(answers, undefined, 2)], { type: "application/json" }));
  return html`<button type="button" onclick=${onclick}>Save answers</button>`;
}

/** An input for `view`: the answers in a file; undefined before the first one. */
export type AnswersInput = HTMLElement & { value: Answers | undefined };

/** Returns an input that opens a file of answers. Nothing in it runs. */
export function answersInput(): AnswersInput {
  const status = html`<span class="figure-note" role="status"></span>`;
  const onchange = async ({ target }: Event) => {
    const file = (target as HTMLInputElement).files?.[0];
    if (!file) return;
    try {
      node.value = readAnswers(await file.text());
      const count = Object.keys(node.value).length;
      status.textContent = `${file.name}: ${count} ${count === 1 ? "answer" : "answers"}`;
    } catch {
      node.value = undefined;
      status.textContent = `${file.name} is not a file of answers. Choose a file that “Save answers” has written.`;
    }
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const input = html`<input type="file" accept=".json,application/json" onchange=${onchange}>`;
  const label = html`<label>Open answers ${input}</label>`;
  const node: AnswersInput = Object.assign(html`<div class="exercise-tools">${label}${status}</div>`, {
    value: undefined,
  });
  return node;
}

/**
 * Returns a table of answers with a button that checks all of them again on this engine. TypeScript runs in a worker, WGSL
 * on the GPU, and only when the reader asks for it.
 */
export function answersReview(engine: BrowserEngine, answers: Answers): HTMLElement {
  const answered = allExercises.filter(({ id }) => answers[id]);
  const verdicts = new Map(answered.map(({ id }) => [id, html`<td>not checked</td>`]));
  const rows = answered.map(({ id, title }) => {
    const { code, language } = answers[id];
    return html`<tr><th scope="row">${id}: ${title}</th><td><code>${code}</code> (${language})</td>${verdicts.get(id)}</tr>`;
  });
  const check = computeButton("Check all answers", async (note) => {
    for (const [i, exercise] of answered.entries()) {
      note(`${i + 1} of ${answered.length}`);
      const { language, code } = answers[exercise.id];
      const verdict = verdicts.get(exercise.id)!;
      if (language === "wgsl" && engine.kind === "cpu") {
        verdict.textContent = "not checked: there is no GPU";
        continue;
      }
      if (!exercise[language]) {
        verdict.textContent = `not checked: the exercise is not in ${language}`;
        continue;
      }
      verdict.replaceChildren(
        describeVerdict(exercise, await checkAnswer(exercise, language, code, trialHost(engine, language))),
      );
    }
    return answered.length;
  });
  if (answered.length === 0) return html`<p>The file has no answer to an exercise of these chapters.</p>`;
  return html`<div>${check}${tableOf(["Exercise", "Answer", "Verdict"], rows)}</div>`;
}
