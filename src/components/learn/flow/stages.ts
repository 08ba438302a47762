import type { ShaderLibrary } from "../../../engine/shaders.js";
import { type SharedVariable, signatureOf, usesOf } from "./variableUses.js";

/** A stage of a tile list. */
export type Stage = ReturnType<typeof listStages>[number];

/** The stages in order; the last one is the backward pass. */
const stageNames = [
  "initShortList",
  "coarseRasterize",
  "padBuffer",
  "bitonicSort",
  "fineRasterize",
  "fineRasterizeBackward",
];

/** Returns whether a type is a token. */
export function isToken(type: string): boolean {
  return type.endsWith("ShortList");
}

/** Returns the stages with their tokens and their uses of shared variables, read from the WGSL. */
export function listStages(shaders: ShaderLibrary) {
  return stageNames.map((name) => {
    const file = `tiled/${name.replace("Backward", "")}.wgsl`;
    const { takes, returns } = signatureOf(shaders.get(file)!, name);
    const uses = usesOf(shaders, file, name).filter(({ variable }) => variable.name !== "job");
    return { name, file, takes: isToken(takes) ? takes : undefined, returns, uses };
  });
}

/** Returns the variables that the stages share, workgroup memory first, in order of first use. */
export function variablesOf(stages: readonly Stage[]): SharedVariable[] {
  const byName = new Map(stages.flatMap(({ uses }) => uses.map(({ variable }) => [variable.name, variable])));
  return [...byName.values()].sort((a, b) => Number(a.space === "buffer") - Number(b.space === "buffer"));
}
