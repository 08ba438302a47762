import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Gpu } from "../../src/engine/gpu/device.js";
import type { ShaderLibrary } from "../../src/engine/gpu/shaders.js";
import { openSoftwareGpu } from "./softwareAdapter.js";

const folder = fileURLToPath(new URL("../../shaders/", import.meta.url));

/** Every WGSL file of the project. */
export const shaders: ShaderLibrary = new Map(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".wgsl"))
    .map((file) => [file.replaceAll("\\", "/"), readFileSync(join(folder, file), "utf8")]),
);

/** A device on the software adapter, for the length of one use. */
export async function withGpu<T>(
  use: (gpu: Gpu) => Promise<T>,
  { library = shaders, features }: { library?: ShaderLibrary; features?: GPUFeatureName[] | undefined } = {},
): Promise<T> {
  const gpu = await Gpu.open(await openSoftwareGpu(), library, features && { features });
  if (!gpu) throw new Error("There is no software adapter.");
  try {
    return await use(gpu);
  } finally {
    gpu.close();
  }
}
