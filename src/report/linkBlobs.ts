import { observePinned, observePointed } from "../components/figures/pointing.js";
import type { ImageViewport } from "../components/images/imageViewport.js";
import { heaviestThing, outlinesOf } from "../components/lab/heaviest.js";
import { runInFrames } from "../components/lab/runInFrames.js";
import { decodeScene } from "../components/lab/scene.js";
import type { Report } from "./report.js";
import type { ReportTables } from "./tables.js";

/**
 * Links the blobs in a report's pictures with their rows: what is pointed at in one is marked in the other. A report that
 * holds some of the blobs alone cannot tell which of all weighs most in a pixel, so there only rows are pointed at.
 */
export function linkBlobs(report: Report, node: HTMLElement, window: ImageViewport, tables: ReportTables): void {
  const { description, target, parameters, blobs } = report;
  const { config } = description;
  const connect = async () => {
    const scene = await runInFrames(decodeScene({ config, target: { image: target } }, { state: { parameters } }));
    if (blobs.length === config.blobs) window.find(({ x, y }) => heaviestThing(scene, x, y));
    const rowOf = (blob: number | null) => (blob === null ? null : blobs.indexOf(blob));
    let [pointed, pinned]: (number | null)[] = [null, null];
    const draw = () => window.draw(...outlinesOf(scene, rowOf(pointed), rowOf(pinned)));
    observePointed("blob")((blob) => {
      pointed = blob;
      draw();
    });
    observePinned("blob")((blob) => {
      pinned = blob;
      draw();
      if (blob !== null) tables.find(blob);
    });
  };
  // Nothing is decoded for who only reads.
  const eventTypes = ["pointerover", "focusin"];
  const start = () => {
    for (const eventType of eventTypes) node.removeEventListener(eventType, start);
    void connect();
  };
  for (const sign of eventTypes) node.addEventListener(sign, start);
}
