import { adapterName, count, counted, decibels } from "../components/page/format.js";
import { duration } from "../engine/duration.js";
import type { RunDescription } from "../engine/files/runDescription.js";

/** Returns a run's result, image and training in a sentence. */
export function summaryOf({ config, image, step, timings, result, adapter }: RunDescription): string {
  const size = `${count(image.width)} × ${count(image.height)} pixels`;
  const time = timings.seconds < 10 ? `${Number(timings.seconds.toPrecision(2))} s` : duration(timings.seconds);
  const training = `${counted(step, "step")} of the preset ${config.preset}`;
  return `${decibels(psnrOf(result))} with ${counted(config.blobs, "blob")} on ${image.name}, ${size}, after ${training}: ${time.replaceAll(" ", "\u00a0")} on ${adapterName(adapter)}.`;
}

/** Returns the PSNR in decibels. JSON has null for infinity. */
export function psnrOf({ psnr }: RunDescription["result"]): number {
  return psnr ?? Number.POSITIVE_INFINITY;
}

/** Returns the date of a run's end, with the minute in UTC. */
export function dateOf({ timings }: RunDescription): string {
  return `${timings.finishedAt.slice(0, 10)}, ${timings.finishedAt.slice(11, 16)} UTC`;
}
