import type { TrainConfig } from "../../engine/config.js";
import type { Image } from "../../engine/image/image.js";
import type { Rect } from "../../engine/regions/plan.js";
import { WorkerClient } from "../workerClient.js";
import { nodePort } from "./port.js";
import type { Colors } from "./stagedImage.js";

/** What the thread that reads regions is asked. */
export interface RegionQuestion {
  /** The file of a `StagedImage`. */
  staged: string;
  colors: Colors;
  /** The pixels that are learned. */
  rect: Rect;
  config: TrainConfig;
}

/** What a region is learned from. */
export interface RegionStart {
  image: Image;
  /** The blobs that it begins with. */
  start: Float32Array;
}

/** A thread that reads a region, and places its blobs, while another one is learned. */
export function regionReader(): WorkerClient<RegionQuestion, RegionStart> {
  return new WorkerClient(nodePort("./regionWorker.mjs"), "The thread that reads regions");
}
