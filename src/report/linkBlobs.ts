import { pins, pointsAt } from "../components/figures/pointed.js";
import { heaviestThing, outlinesOf } from "../components/lab/heaviest.js";
import { inFrames } from "../components/lab/inFrames.js";
import { decodeScene } from "../components/lab/scene.js";
import type { PictureWindow } from "../components/pictures/pictureWindow.js";
import type { Report } from "./report.js";
import type { ReportTables } from "./tables.js";

/**
 * Links the blobs in a report's pictures with their rows: what is pointed at in one is marked in the other. A report that
 * holds some of the blobs alone cannot tell which of all weighs most in a pixel, so there only rows are pointed at.
 */
export function linkBlobs(report: Report, node: HTMLElement, window: PictureWindow, tables: ReportTables): void {
  const { description, target, parameters, blobs } = report;
  const { config } = description;
  const link = async () => {
    const scene = await inFrames(decodeScene({ config, target: { image: target } }, { state: { parameters } }));
    if (blobs.length === config.blobs) window.find(({ x, y }) => heaviestThing(scene, x, y));
    const placeOf = (blob: number | null) => (blob === null ? null : blobs.indexOf(blob));
    let [pointed, pinned]: (number | null)[] = [null, null];
    const draw = () => window.draw(...outlinesOf(scene, placeOf(pointed), placeOf(pinned)));
    pointsAt("blob")((blob) => {
      pointed = blob;
      draw();
    });
    pins("blob")((blob) => {
      pinned = blob;
      draw();
      if (blob !== null) tables.find(blob);
    });
  };
  // Nothing is decoded for who only reads.
  const signs = ["pointerover", "focusin"];
  const begin = () => {
    for (const sign of signs) node.removeEventListener(sign, begin);
    void link();
  };
  for (const sign of signs) node.addEventListener(sign, begin);
}
