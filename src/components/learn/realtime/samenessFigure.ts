import { completeConfig } from "../../../engine/config.js";
import { initialState } from "../../../engine/initialState.js";
import { type Agreement, agreementOf, type Computed, compute } from "../../../engine/realtime/agreement.js";
import { openProgram, type Program, programOf, programs, refusal } from "../../../engine/realtime/programs.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { element, setText } from "../../element.js";
import { counted } from "../../format.js";
import { learnFigure } from "../learnFigure.js";
import { standsFor } from "../marks.js";
import { numberText } from "../numberText.js";
import { pageRace } from "./pageRace.js";
import type { Race } from "./race.js";
import { offerOf } from "./raceJob.js";

/** Steps after which they are compared. */
const steps = 20;

/**
 * A button that gives every program the same half-trained blobs, and compares the pictures and gradients that they
 * compute of them.
 */
export function samenessFigure(engine: BrowserEngine, { race = pageRace(engine) }: { race?: Race } = {}): HTMLElement {
  const status = element("p", { class: "race-status", role: "status" });
  const body = element("tbody", {});
  const heads = ["program", "picture against binned's", "gradients, largest difference"];
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const table = element("table", { class: "sameness" }, element("thead", {}, head), body);
  const button = element("button", { type: "button", class: "primary" }, "Compare them");
  const show = (rows: { program: Program; words: [string, string] }[]) =>
    body.replaceChildren(...rows.map(({ program, words }) => rowOf(program, words)));
  show(programs.map((program) => ({ program, words: ["–", "–"] })));
  if (!race.canRun) {
    button.disabled = true;
    setText(status, `${engine.because ?? ""} The comparison needs it.`.trim());
  }
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      race.pause();
      const target = await race.picture();
      // Programs that take minutes a step are none for a comparison at once.
      const { blobs, tile, gaussiansPerBlock } = race.isLong(programOf("every-undo"))
        ? offerOf(engine.kind).job
        : race.job;
      const job = { blobs, tile, gaussiansPerBlock };
      const config = completeConfig({ ...job, pipeline: "binned" });
      setText(status, "Training a little");
      const trainer = await engine.backend("binned").open(config, target, initialState(config, target));
      const state = await trainer
        .advance(steps)
        .then(() => trainer.state())
        .finally(() => trainer.free());
      const computed = new Map<Program, Computed>();
      for (const program of programs.filter((program) => !refusal(program, job))) {
        setText(status, program.title);
        const pipeline = await openProgram(program, job, target, engine.backend("binned"), engine.shaders, state);
        computed.set(program, await compute(pipeline, target).finally(() => pipeline.free()));
      }
      const reference = computed.get(programOf("binned"))!;
      show(
        programs.map((program) => {
          const own = computed.get(program);
          if (own === reference) return { program, words: ["the measure", "the measure"] };
          return { program, words: own ? wordsOf(agreementOf(own, reference)) : ["cannot hold it", "–"] };
        }),
      );
      setText(
        status,
        `${counted(blobs, "blob")} on ${target.width} × ${target.height} pixels after ${counted(steps, "step")}, on ${engine.description}.`,
      );
    } catch (error) {
      setText(status, error instanceof Error ? error.message : String(error));
    } finally {
      button.disabled = false;
    }
  });
  return learnFigure(
    {
      title: "The same function, five times",
      alt: "A table of the programs with how far the picture and the gradients that each computes are from those of binned.",
      note: "All five get the same blobs and draw and differentiate them once. A PSNR of 100 dB is a root mean square difference of one part in 100,000 of the brightness range. Gradients are compared with the largest one of the same parameter. What remains is the rounding of float32, in another order of operations. The race pauses meanwhile.",
    },
    element("div", { class: "race-bar" }, button, status),
    element("div", { class: "wide-table" }, table),
  );
}

function wordsOf({ psnr, gradients }: Agreement): [string, string] {
  const share = gradients === 0 ? "none" : numberText(gradients, 2);
  return [Number.isFinite(psnr) ? `${psnr.toFixed(0)} dB` : "equal", share];
}

function rowOf({ name, title }: Program, words: [string, string]): HTMLElement {
  const cells = words.map((text) => element("td", {}, text));
  return standsFor(
    element("tr", { "data-program": name }, element("th", { scope: "row" }, title), ...cells),
    `program:${name}`,
  );
}
