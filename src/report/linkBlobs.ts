import { observePinned, observePointed } from "../components/figures/pointing.js";
import type { ImageViewport } from "../components/images/imageViewport.js";
import { heaviestThing, outlinesOf } from "../components/lab/heaviest.js";
import { runInFrames } from "../components/lab/runInFrames.js";
import { decodeScene } from "../components/lab/scene.js";
import type { Report } from "./report.js";
import type { ReportTables } from "./tables.js";

/**
 * Links the blobs in a report's images with their rows: pointing at one marks the other. If the report has only a sample
 * of the blobs, the heaviest blob of a pixel is unknown, so only rows can be pointed at.
 */
export function linkBlobs(report: Report, node: HTMLElement, window: ImageViewport, tables: ReportTables): void {
  const { description, target, blobs, parameters } = report;
  const { config } = description;
  let [pointed, pinned]: (number | null)[] = [null, null];
  const rowOf = (blob: number | null) => (blob === null ? null : blobs.indexOf(blob));
  const connect = async () => {
    const scene = await runInFrames(decodeScene({ config, target: { image: target } }, { state: { parameters } }));
    const draw = () => window.draw(...outlinesOf(scene, rowOf(pointed), rowOf(pinned)));
    if (blobs.length === config.blobs) window.find(({ x, y }) => heaviestThing(scene, x, y));
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
  // Decoding takes long, so it waits for the reader's pointer or focus.
  let isConnected = false;
  const start = () => {
    if (!isConnected) void connect();
    isConnected = true;
  };
  for (const type of ["pointerover", "focusin"]) node.addEventListener(type, start, { once: true });
}
