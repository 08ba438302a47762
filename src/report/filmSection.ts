import { html } from "htl";
import { scrubber } from "../components/inputs/scrubber.js";
import { psnrText, trainingPsnrText } from "../components/page/format.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import { type Frame, filmStrip, frameName } from "./filmStrip.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

/**
 * Returns a slider for the film of a run, and a section with its frames; nothing if it has none.
 * @param showFrame called with the selected frame and its row of metrics, or with neither at the end
 */
export function filmSection(
  { film, rows, description: { result } }: Report,
  showFrame: (frame?: Frame, row?: MetricsRow) => void,
): HTMLElement[] {
  if (film.length === 0) return [];
  const rowOf = ({ step }: Frame) => rows.findLast((row) => row.step <= step);
  const describe = (frame: Frame, isLast: boolean) => {
    const name = frameName(frame);
    if (isLast) return `the end, ${name}: ${psnrText(psnrOf(result))}, loss ${result.loss.toPrecision(3)}`;
    const row = rowOf(frame);
    return row ? `${name}: ${trainingPsnrText(row.psnr)}, loss ${row.loss.toPrecision(3)}` : name;
  };
  const bar = scrubber<Frame>("Displayed step", ({ step }) => step, describe);
  bar.classList.add("film-time", "needs-script", "on-screen");
  const strip = filmStrip(film, (frame) => bar.choose(frame));
  bar.setMoments(film);
  strip.show(film.at(-1)!);
  bar.oninput = () => {
    const frame = bar.value ?? undefined;
    strip.show(frame ?? film.at(-1)!);
    showFrame(frame, frame && rowOf(frame));
  };
  const section = html`<section>
      <h2>Film</h2>
      <p>Renders at the start, after 4, 16, 64 … steps, and at the end. <span class="needs-script on-screen">The slider selects one.</span></p>
      ${strip}
    </section>`;
  return [bar, section];
}
