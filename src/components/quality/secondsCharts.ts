import type { CurvePoint, Quality } from "../../engine/qualityResult.js";
import { element } from "../element.js";
import type { Anchors } from "./anchors.js";
import { meansOf, picturesOf, progressOf, type Series } from "./qualityFacts.js";
import { rivalNote } from "./qualityWords.js";
import { secondsChart } from "./secondsChart.js";

/** The preset on its way, by number of blobs: means over the pictures. */
export function sizesProgress(points: CurvePoint[], [quality]: Series[], { adapter }: Quality): HTMLElement | string {
  if (!quality) return "";
  const { length } = picturesOf(quality.means);
  const note = `Means over ${length} picture${length === 1 ? "" : "s"}, on ${adapter}. At a line's end, its number of blobs.`;
  return secondsChart("Decibels by the second", progressOf(points, quality.means), note);
}

/** The preset beside another's program, on the one picture that both were trained on; or why there is none. */
export function rivalChart(points: CurvePoint[], quality: Quality, rival: Anchors["measured"]): HTMLElement {
  const own = quality.runs.filter(
    ({ row, part, image }) => part === "sizes" && row === "quality" && image === rival.image,
  );
  if (own.length === 0) {
    const why = `${rival.who} was measured on ${rival.image}, which is not among the pictures of this recording, so it is not set beside these lines.`;
    return element("p", {}, why);
  }
  const means = meansOf(own).toSorted((a, b) => a.blobs - b.blobs);
  const alike = means.filter(({ blobs }) => rival.points.some((point) => point.blobs === blobs));
  return secondsChart(
    `Beside ${rival.who}, on ${rival.image}`,
    progressOf(points, alike.length > 0 ? alike : means),
    rivalNote(quality, rival),
    rival,
  );
}
