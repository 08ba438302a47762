import type { TrainConfig } from "../../engine/config.js";
import { evenlySpacedIndices } from "../../engine/evenlySpaced.js";
import type { Size } from "../../engine/image/image.js";
import { decode, deviationsInPixels, modelOf, valueNames } from "../../engine/model/blob.js";
import { type ParameterGroup, parameterCount, parameterGroups } from "../../engine/model/blobs.js";

/** Values of a run by parameter group. */
export interface Sample {
  name: string;
  values: Record<ParameterGroup, Float32Array>;
}

/** The names of the parameter groups, in order. */
export const groups = Object.keys(parameterGroups) as ParameterGroup[];
/** Maximum number of blobs in a sample, at even distances. */
const maxBlobs = 20_000;

/** Returns decoded parameters by group, with variances as standard deviations in pixels. */
export function parameterSample(name: string, config: TrainConfig, size: Size, parameters: Float32Array): Sample {
  const model = modelOf(config, size);
  return sampleOf(name, parameters.length / parameterCount, (blob, setValue) => {
    const values = decode(parameters, blob, model);
    const [varianceX, varianceY] = deviationsInPixels(values, size);
    const shown = { ...values, varianceX, varianceY };
    for (const [field, key] of valueNames.entries()) setValue(field, shown[key]);
  });
}

/** Returns the magnitude of each gradient by group, in loss per raw unit. */
export function gradientSample(name: string, gradients: Float32Array): Sample {
  const blobs = gradients.length / parameterCount;
  return sampleOf(name, blobs, (blob, setValue) => {
    for (let field = 0; field < parameterCount; field++) setValue(field, Math.abs(gradients[field * blobs + blob]));
  });
}

/** Returns the values of a sample of blobs by group. `readBlob` sets those of a blob by field. */
function sampleOf(
  name: string,
  blobs: number,
  readBlob: (blob: number, setValue: (field: number, value: number) => void) => void,
): Sample {
  const blobIndices = evenlySpacedIndices(blobs, maxBlobs);
  const count = blobIndices.length;
  /** The values of each field, a part of those of its group. */
  const fields: Float32Array[] = [];
  const entries = groups.map((group) => {
    const values = new Float32Array(parameterGroups[group].length * count);
    for (const [i, field] of parameterGroups[group].entries())
      fields[field] = values.subarray(i * count, (i + 1) * count);
    return [group, values];
  });
  for (const [i, blob] of blobIndices.entries()) {
    readBlob(blob, (field, value) => {
      fields[field][i] = value;
    });
  }
  return { name, values: Object.fromEntries(entries) as Sample["values"] };
}
