import { html } from "htl";
import { scrubber } from "../components/inputs/scrubber.js";
import { psnrText, trainingPsnrText } from "../components/page/format.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import { type Frame, filmStrip, frameName } from "./filmStrip.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

interface FilmSection {
  /** A slider for the film, and a section with its frames. */
  nodes: HTMLElement[];
  /** Adds the frames of a later state of the run. */
  update(report: Report): void;
}

/**
 * Returns the film of a run; undefined if it has none.
 * @param showFrame called with the selected frame and its row of metrics, or with neither at the end
 */
export function filmSection(
  report: Report,
  showFrame: (frame?: Frame, row?: MetricsRow) => void,
): FilmSection | undefined {
  if (report.film.length === 0) return undefined;
  let latest = report;
  const rowOf = ({ step }: Frame) => latest.rows.findLast((row) => row.step <= step);
  const describe = (frame: Frame, isLast: boolean) => {
    const { result } = latest.description;
    const name = frameName(frame);
    if (isLast) return `the end, ${name}: ${psnrText(psnrOf(result))}, loss ${result.loss.toPrecision(3)}`;
    const row = rowOf(frame);
    return row ? `${name}: ${trainingPsnrText(row.psnr)}, loss ${row.loss.toPrecision(3)}` : name;
  };
  const bar = scrubber<Frame>("Displayed step", ({ step }) => step, describe);
  bar.classList.add("film-time", "needs-script", "on-screen");
  const newStrip = () => filmStrip(latest.film, (frame) => bar.choose(frame));
  let strip = newStrip();
  const showChosen = () => {
    const step = bar.value?.step;
    strip.show(latest.film.find((frame) => frame.step === step) ?? latest.film.at(-1)!);
  };
  bar.setMoments(report.film);
  showChosen();
  bar.oninput = () => {
    const frame = bar.value ?? undefined;
    showChosen();
    showFrame(frame, frame && rowOf(frame));
  };
  const section = html`<section>
      <h2>Film</h2>
      <p>Renders at the start, after 4, 16, 64 … steps, and at the end. <span class="needs-script on-screen">The slider selects one.</span></p>
      ${strip}
    </section>`;
  const update = (next: Report) => {
    const isSame = next.film.length === latest.film.length;
    latest = next;
    bar.setMoments(next.film);
    if (isSame) return;
    const before = strip;
    strip = newStrip();
    before.replaceWith(strip);
    showChosen();
  };
  return { nodes: [bar, section], update };
}
