import type { ShaderLibrary } from "../../../engine/shaders.js";
import { type SharedVariable, signatureOf, usesOf } from "./variableUses.js";

/** A stage of a tile's short-list: a function in a file of its own. */
export type Stage = ReturnType<typeof listStages>[number];

/** The stages in their order; the last one is the way back. */
const stageNames = [
  "initShortList",
  "coarseRasterize",
  "padBuffer",
  "bitonicSort",
  "fineRasterize",
  "fineRasterizeBackward",
];

/** What a stage of the list is marked as. */
export function isToken(type: string): boolean {
  return type.endsWith("ShortList");
}

/** The stages as the files say: their tokens, and what they read and write of what threads share. */
export function listStages(shaders: ShaderLibrary) {
  return stageNames.map((name) => {
    const file = `tiled/${name.replace("Backward", "")}.wgsl`;
    const { takes, returns } = signatureOf(shaders.get(file)!, name);
    const uses = usesOf(shaders, file, name).filter(({ variable }) => variable.name !== "job");
    return { name, file, takes: isToken(takes) ? takes : undefined, returns, uses };
  });
}

/** What the stages share, in the order in which they come to it; memory of the workgroup first. */
export function variablesOf(stages: readonly Stage[]): SharedVariable[] {
  const byName = new Map(stages.flatMap(({ uses }) => uses.map(({ variable }) => [variable.name, variable])));
  return [...byName.values()].sort((a, b) => Number(a.space === "buffer") - Number(b.space === "buffer"));
}
