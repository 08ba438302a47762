import type { TrainConfig } from "../../engine/config.js";
import type { Image } from "../../engine/image/image.js";
import type { Rect } from "../../engine/regions/plan.js";
import { WorkerClient } from "../workerClient.js";
import { nodePort } from "./port.js";
import type { Colors } from "./stagedImage.js";

export interface RegionQuestion {
  /** The file of a `StagedImage`. */
  staged: string;
  colors: Colors;
  rect: Rect;
  config: TrainConfig;
}

export interface RegionStart {
  image: Image;
  start: Float32Array;
}

/** Starts a thread that reads a region and initializes its blobs while another region is trained. */
export function regionReader(): WorkerClient<RegionQuestion, RegionStart> {
  return new WorkerClient(nodePort("./regionWorker.mjs"), "The thread that reads regions");
}
