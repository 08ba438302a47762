import { html } from "htl";
import { tableOf } from "../../page/element.js";
import { chapters } from "../../page/pages.js";
import { allExercises, exercisesOfChapters } from "./allExercises.js";
import { storedAnswers } from "./progress.js";

/** Returns a table of the chapters with their exercises; those that are solved in this browser have a tick. */
export function progressTable(): HTMLElement {
  const answers = storedAnswers();
  const rows = chapters.map(([path, name]) => {
    const exercises = exercisesOfChapters[path] ?? [];
    const marks = exercises.map(({ id, title }) => {
      const isSolved = answers[id]?.isRight ?? false;
      return html`<li>${isSolved ? "✓" : "○"} ${title}<span class="visually-hidden">, ${isSolved ? "solved" : "open"}</span></li>`;
    });
    const href = `./${path.replace("learn/", "")}.html#exercises`;
    return html`<tr><th scope="row"><a href=${href}>${name}</a></th><td><ul class="row">${marks}</ul></td></tr>`;
  });
  const solved = allExercises.filter(({ id }) => answers[id]?.isRight).length;
  return html`<div><p>${solved} of ${allExercises.length} exercises solved in this browser.</p>
    ${tableOf(["Chapter", "Exercises"], rows)}</div>`;
}
