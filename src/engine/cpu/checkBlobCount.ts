import { ConfigError, type TrainConfig } from "../config.js";
import { limitText } from "../quoted.js";

/** A blob with its list entries takes about half a kilobyte, and WebAssembly has at most 4 GiB. */
const maxBlobs = 2_000_000;

/** @throws ConfigError if the CPU engine cannot hold the blobs */
export function checkBlobCount({ blobs }: TrainConfig): void {
  if (blobs > maxBlobs) throw new ConfigError("blobs", blobs, `at most ${limitText(maxBlobs)} on the CPU`);
}
