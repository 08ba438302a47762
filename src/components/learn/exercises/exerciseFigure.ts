import { html } from "htl";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { scrollIntoBox } from "../../figures/scrollIntoBox.js";
import { computeButton } from "../../inputs/computeButton.js";
import { uniqueId } from "../../page/element.js";
import { allExercises } from "./allExercises.js";
import { checkAnswer, type TrialHost, type Verdict } from "./checkAnswer.js";
import {
  type Exercise,
  type ExerciseLanguage,
  excerptOf,
  languageName,
  languagesOf,
  withoutSolutions,
} from "./exercise.js";
import type { Fault } from "./judge.js";
import { kernelTrials } from "./kernelTrial.js";
import { storeAnswer, storedAnswers } from "./progress.js";
import { referenceTrials } from "./referenceTrial.js";

/** Returns what runs the edited code of a language on an engine. */
function trialHost(engine: BrowserEngine, language: ExerciseLanguage): TrialHost {
  return language === "typescript" ? referenceTrials : kernelTrials(engine.shaders, (name) => engine.backend(name));
}

/** Returns the languages that can run on an engine. */
function languagesOn(engine: BrowserEngine, exercise: Exercise): ExerciseLanguage[] {
  return languagesOf(exercise).filter((language) => language !== "wgsl" || engine.kind !== "cpu");
}

/** Returns an exercise: its task, the code with a field for the answer, and the verdict. */
export function exerciseFigure(exercise: Exercise, engine: BrowserEngine): HTMLElement {
  const languages = languagesOn(engine, exercise);
  const titleId = uniqueId("exercise");
  if (languages.length === 0) {
    return html`<section class="exercise" aria-labelledby=${titleId}>
      <h4 id=${titleId}>${exercise.title}</h4><p>${exercise.task}</p>
      <p class="figure-note">This exercise edits a kernel, and there is no GPU here to run it.</p>
    </section>`;
  }
  const { [exercise.id]: stored } = storedAnswers();
  const open = html`<div></div>`;
  const show = (language: ExerciseLanguage) => open.replaceChildren(answerForm(exercise, language, engine, done));
  const done = html<HTMLElement>`<span class="exercise-done">${stored?.isRight ? "✓ solved" : ""}</span>`;
  const first = stored && languages.includes(stored.language) ? stored.language : languages[0];
  const choices = languages.map(
    (language) => html`<label><input
      type="radio" name=${titleId} checked=${language === first} onchange=${() => show(language)}
    > ${languageName(language)}</label>`,
  );
  show(first);
  return html`<section class="exercise" aria-labelledby=${titleId}>
    <h4><span id=${titleId}>${exercise.title}</span> ${done}</h4>
    ${languages.length > 1 ? html`<div class="exercise-languages" role="group" aria-label="Language">${choices}</div>` : null}
    ${open}
  </section>`;
}

/** Returns the task in one language, with the code and the buttons. */
function answerForm(
  exercise: Exercise,
  language: ExerciseLanguage,
  engine: BrowserEngine,
  done: HTMLElement,
): HTMLElement {
  const blank = exercise[language]!;
  const stored = storedAnswers()[exercise.id];
  const host = trialHost(engine, language);
  const answer = html<HTMLTextAreaElement>`<textarea
    class="exercise-answer" rows=${blank.hides.split("\n").length} aria-label="Your code" placeholder="your code"
    spellcheck="false" autocapitalize="off" autocomplete="off"
  >${stored?.language === language ? stored.code : ""}</textarea>`;
  const path = language === "wgsl" ? `shaders/${blank.file}` : `src/engine/${blank.file}`;
  const verdict = html`<div class="exercise-verdict" role="status"></div>`;
  const say = (...parts: (Node | string)[]) => verdict.replaceChildren(...parts);
  const check = computeButton("Check", async (note) => {
    if (answer.value.trim() === "") throw new Error("Write the missing code first.");
    say();
    note("Running your code…");
    const result = await checkAnswer(exercise, language, answer.value, host);
    const isStored = storeAnswer(exercise.id, { language, code: answer.value, isRight: result.isRight });
    done.textContent = result.isRight ? "✓ solved" : "";
    say(describeVerdict(exercise, result), isStored ? "" : " This browser does not store your answer.");
    return result;
  });
  const button = (text: string, onclick: () => void) => html`<button type="button" onclick=${onclick}>${text}</button>`;
  const hint = button("Hint", () => say(html`<p>${exercise.hint}</p>`));
  const solution = button("Show solution", () =>
    say(html`<p>One solution: <code>${blank.hides}</code></p>`, html`<p>${exercise.reason}</p>`),
  );
  const code = html`<pre class="code-text exercise-code"></pre>`;
  void showCode(code, answer, blank, language, host);
  return html`<div>
    <p>${blank.task ?? exercise.task}</p>
    <p class="code-head"><strong>${languageName(language)}</strong> ${path}</p>
    ${code}
    <div class="exercise-tools">${check}${hint}${solution}</div>
    ${verdict}
  </div>`;
}

/** Fills in the code around the answer. */
async function showCode(
  node: HTMLElement,
  answer: HTMLElement,
  blank: Exercise["wgsl"],
  language: ExerciseLanguage,
  host: TrialHost,
): Promise<void> {
  const [source, { highlight }] = await Promise.all([host.source(blank.file), import("../../editor/highlight.js")]);
  const { before, after } = excerptOf(source, blank);
  const others = allExercises.flatMap(({ title, [language]: other }) =>
    other && other !== blank ? [{ title, blank: other }] : [],
  );
  const hidden = (code: string) => withoutSolutions(code, blank.file, others);
  const tokens = (text: string) =>
    highlight(text, language).flatMap((line, i) => [
      i > 0 ? "\n" : "",
      ...line.map(([token, classes]) => (classes ? html`<span class=${classes}>${token}</span>` : token)),
    ]);
  node.replaceChildren(html`<code>${tokens(hidden(before))}${answer}${tokens(hidden(after))}</code>`);
  // The answer has no position before it is on the page, and moves when the lines wrap differently.
  new ResizeObserver(() => scrollIntoBox(node, answer)).observe(node);
}

/** Returns a verdict as a paragraph. */
function describeVerdict({ reason }: Exercise, verdict: Verdict): HTMLElement {
  const { isRight, error, fault, scene, mistake } = verdict;
  if (isRight) {
    return html`<p><strong>✓ Right.</strong> ${reason} <span class="figure-note">On three small images, the render, the
      gradients, the lists and the parameters after three steps are those of the CPU reference.</span></p>`;
  }
  const head = fault || mistake ? "✗ Not yet." : "✗ The code does not run.";
  const evidence = fault ? describeFault(fault) : mistake ? "" : errorText(error!);
  const place = scene && html`<span class="figure-note">Checked with a small image: ${scene}.</span>`;
  return html`<p><strong>${head}</strong> ${mistake} ${evidence} ${place}</p>`;
}

/** Returns an error, in words if it is one of a wrong index. */
function errorText(error: string): string {
  const isIndex = /^Cannot read properties of undefined|out of bounds/.test(error);
  return isIndex ? `An index is too small or too large, so what it stands for does not exist (${error}).` : error;
}

function describeFault({ quantity, found, expected }: Fault): string {
  const name = quantity[0].toUpperCase() + quantity.slice(1);
  // Two digits or more after those that the numbers have in common.
  const difference = Math.abs(found - expected) / Math.max(Math.abs(found), Math.abs(expected));
  const digits = difference > 0 ? Math.min(Math.max(3 - Math.floor(Math.log10(difference)), 4), 12) : 4;
  return `${name} is ${numberText(found, digits)}, but should be ${numberText(expected, digits)}.`;
}

function numberText(value: number, digits: number): string {
  return (Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : String(value)).replaceAll("-", "−");
}
