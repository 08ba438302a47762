import { html } from "htl";
import type { ShaderLibrary } from "../../../engine/shaders.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { scrollIntoBox } from "../../figures/scrollIntoBox.js";
import { computeButton } from "../../inputs/computeButton.js";
import { uniqueId } from "../../page/element.js";
import { allExercises } from "./allExercises.js";
import { checkAnswer, type Verdict } from "./checkAnswer.js";
import { type Exercise, excerptOf, withoutSolutions } from "./exercise.js";
import type { Fault } from "./judge.js";
import { kernelTrials } from "./kernelTrial.js";
import { storeAnswer, storedAnswers } from "./progress.js";

/** Returns an exercise: its task, the code with a field for the answer, and the verdict. */
export function exerciseFigure(exercise: Exercise, engine: BrowserEngine): HTMLElement {
  const { id, title, task, file, hides } = exercise;
  const { shaders } = engine;
  const titleId = uniqueId("exercise");
  const stored = storedAnswers()[id];
  const done = html`<span class="exercise-done">${stored?.isRight ? "✓ solved" : ""}</span>`;
  const answer = html<HTMLTextAreaElement>`<textarea
    class="exercise-answer" rows=${hides.split("\n").length} aria-label="Your code" placeholder="your code"
    spellcheck="false" autocapitalize="off" autocomplete="off"
  >${stored?.language === "wgsl" ? stored.code : ""}</textarea>`;
  const verdict = html`<div role="status"></div>`;
  const say = (...parts: (Node | string)[]) => verdict.replaceChildren(...parts);
  const check = computeButton("Check", async (note) => {
    if (answer.value.trim() === "") throw new Error("Write the missing code first.");
    say();
    note("Running your code…");
    const runTrial = kernelTrials(shaders, (name) => engine.backend(name));
    const result = await checkAnswer(exercise, answer.value, shaders, runTrial);
    const isStored = storeAnswer(id, answer.value, result.isRight);
    done.textContent = result.isRight ? "✓ solved" : "";
    say(describeVerdict(exercise, result), isStored ? "" : " This browser does not store your answer.");
    return result;
  });
  const button = (text: string, onclick: () => void) => html`<button type="button" onclick=${onclick}>${text}</button>`;
  const hint = button("Hint", () => say(html`<p>${exercise.hint}</p>`));
  const solution = button("Show solution", () =>
    say(html`<p>One solution: <code>${hides}</code></p>`, html`<p>${exercise.reason}</p>`),
  );
  const code = html`<pre class="code-text"></pre>`;
  void showCode(code, answer, exercise, shaders);
  const canRun = engine.kind !== "cpu";
  return html`<section class="exercise" aria-labelledby=${titleId}>
    <h4><span id=${titleId}>${title}</span> ${done}</h4>
    <p>${task}</p>
    <p class="quiet"><strong>WGSL</strong> shaders/${file}</p>
    ${code}
    <div class="row">${canRun ? check : ""}${hint}${solution}</div>
    ${canRun ? "" : html`<p class="quiet">There is no GPU here to run your code.</p>`}
    ${verdict}
  </section>`;
}

/** Fills in the code around the answer. */
async function showCode(
  node: HTMLElement,
  answer: HTMLElement,
  exercise: Exercise,
  shaders: ShaderLibrary,
): Promise<void> {
  const { highlight } = await import("../../editor/highlight.js");
  const { before, after } = excerptOf(shaders.get(exercise.file) ?? "", exercise);
  const others = allExercises.filter((other) => other !== exercise);
  const tokens = (text: string) =>
    highlight(withoutSolutions(text, exercise.file, others), "wgsl").flatMap((line, i) => [
      i > 0 ? "\n" : "",
      ...line.map(([token, classes]) => (classes ? html`<span class=${classes}>${token}</span>` : token)),
    ]);
  node.replaceChildren(html`<code>${tokens(before)}${answer}${tokens(after)}</code>`);
  // The answer has no position before it is on the page, and moves when the lines wrap differently.
  new ResizeObserver(() => scrollIntoBox(node, answer)).observe(node);
}

/** Returns a verdict as a paragraph. */
function describeVerdict({ reason }: Exercise, verdict: Verdict): HTMLElement {
  const { isRight, error, fault, scene, mistake } = verdict;
  if (isRight) {
    return html`<p><strong>✓ Right.</strong> ${reason} <span class="quiet">On three small images, the render, the
      gradients, the lists and the parameters after three steps are those of the CPU reference.</span></p>`;
  }
  const head = fault || mistake ? "✗ Not yet." : "✗ The code does not run.";
  const evidence = fault ? describeFault(fault) : mistake ? "" : error;
  const place = scene && html`<span class="quiet">Checked with a small image: ${scene}.</span>`;
  return html`<p><strong>${head}</strong> ${mistake} ${evidence} ${place}</p>`;
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
