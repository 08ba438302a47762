import { hashImage, type Image } from "../engine/image/image.js";
import { describeHost } from "../host/node/gpu.js";
import type { BenchSite } from "./site.js";

/** Returns the time, commit, versions and host of a measurement. */
export function benchOrigin({ versions, commit }: BenchSite) {
  return { date: new Date().toISOString(), ...(commit !== undefined && { commit }), versions, host: describeHost() };
}

/** Returns the name, size in pixels and hash of a measured image. */
export async function imageOrigin(name: string, image: Image) {
  return { name, width: image.width, height: image.height, hash: await hashImage(image) };
}
