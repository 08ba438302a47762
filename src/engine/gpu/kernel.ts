import type { LoopPlace } from "./boundLoops.js";

/** A compiled kernel and the layout of its one bind group. */
export interface Kernel {
  name: string;
  pipeline: GPUComputePipeline;
  layout: GPUBindGroupLayout;
  /** The numbers of its bindings, in the group's order. */
  bindings: number[];
  /** Its loops that are bounded, and marked in group 1 when they reach it. */
  loops: LoopPlace[];
  /** Turns after which they are ended. */
  mostTurns: number | undefined;
}

/** A kernel's bindings in group 0: what each number is. Binding 1 is the dispatch, at a dynamic offset. */
export type Bindings = Record<number, GPUBufferBindingType>;

/** A kernel as a pipeline wants it. */
export interface KernelSource {
  /** Its path under shaders/. */
  file: string;
  bindings: Bindings;
  /** Values of the WGSL `override`s; those that it does not declare are none of its. */
  constants: Record<string, number>;
}

/** Of the texture in which a kernel marks the loops that it has ended. */
export const markFormat = "r32uint";

export const read = "read-only-storage";
export const write = "storage";

/** The bindings of every kernel: the job, and the dispatch at a dynamic offset. */
export const uniforms: Bindings = { 0: "uniform", 1: "uniform" };
