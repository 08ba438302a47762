import { deflateRaw } from "pako";
import { listCapacity } from "../../config.js";
import { sizeOf } from "../../image/image.js";
import { type ParameterGroup, parameterGroups } from "../../model/blobs.js";
import { inflateAtMost } from "../inflate.js";
import { parseConfig } from "../parseConfig.js";
import type { Layout } from "./quantize.js";

/**
 * Typical contents of a head, as deflate's preset dictionary: a head then takes about 60 bytes instead of 300. It is
 * part of the format, so it changes only with the version.
 */
const dictionary = new TextEncoder().encode(
  [
    '"center":0.125,"variance":0.0208,"correlation":0.0417,"color":0.025,"opacity":0.0208},',
    '"config":{"preset":"seed","blobs":40960,"steps":10000,"learningRate":0.002,"centerRate":1,"varianceRate":1,',
    '"correlationRate":1,"colorRate":1,"opacityRate":1,"schedule":"constant","finalRate":1,"initializer":"uniform",',
    '"startShare":1,"growEvery":0,"growUntil":0.5,"plateau":0,"tile":[8,4],"gaussiansPerBlock":512,"pipeline":"cpu",',
    '"parameterization":"smoothstep","covarianceScale":0.0001,"blend":"over","composite":"seed",',
    '"biasCorrection":"constant","seed":1}}"blend":"sum","composite":"white"',
    '{"size":{"width":512,"height":512},"steps":{',
    '"center":0.125,"variance":0.0417,"correlation":0.0625,"color":0.0208,"opacity":0.125},',
    '"config":{"preset":"quality","blobs":9000,"steps":10000,"learningRate":0.08,"centerRate":6,"varianceRate":1,',
    '"correlationRate":1,"colorRate":0.5,"opacityRate":1,"schedule":"cosine","finalRate":0.01,"initializer":"gradient",',
    '"startShare":0.6,"growEvery":250,"growUntil":0.5,"plateau":0,"tile":[8,4],"gaussiansPerBlock":512,',
    '"pipeline":"binned","parameterization":"direct","covarianceScale":0.0001,"blend":"over","composite":"black",',
    '"biasCorrection":"exact","seed":1}}',
  ].join(""),
);

/** Most bytes of a head's JSON; written ones have about 800. */
const maxHeadBytes = 2 ** 14;

export function packHead({ size, steps, config }: Layout): Uint8Array {
  // The blobs are drawn, not trained, so the value of the first format version suffices.
  const storedConfig = { ...config, gaussiansPerBlock: listCapacity(config) };
  const text = JSON.stringify({ size: sizeOf(size), steps, config: storedConfig });
  return deflateRaw(new TextEncoder().encode(text), { level: 9, dictionary });
}

/**
 * Reads the output of `packHead`.
 * @param file name in an error about the config
 */
export function unpackHead(bytes: Uint8Array, file: string): Layout {
  const { size, steps, config } = JSON.parse(new TextDecoder().decode(inflateAtMost(bytes, maxHeadBytes, dictionary)));
  const isSide = (side: unknown) => Number.isInteger(side) && (side as number) >= 1;
  if (!isSide(size.width) || !isSide(size.height)) throw new RangeError("The image has no size.");
  const groups = Object.keys(parameterGroups) as ParameterGroup[];
  if (!groups.every((group) => Number.isFinite(steps[group]) && steps[group] > 0)) {
    throw new RangeError("The steps are not all above 0.");
  }
  return { size, steps, config: parseConfig(() => config, file, 1) };
}
