import { findLine } from "../lines.js";
import type { ShaderLibrary } from "../shaders.js";
import type { Gpu } from "./device.js";
import { type BenchKernel, runKernel } from "./workbench.js";

/** A place in a kernel that tells each time when a thread comes by. */
export interface Probe {
  name: string;
  /** Its path under shaders/. */
  file: string;
  /** A text that stands on one line of the file alone; the probe is right behind that line, or before it. */
  at: string;
  before?: boolean;
  /** WGSL expressions of u32, four at most, that are told along; `bitcast<u32>(x)` tells a float. */
  values: string[];
}

/** A thread came by a probe. */
interface TraceEvent {
  probe: string;
  file: string;
  /** Of the probe's text, counted from 1. */
  line: number;
  /** As bits. */
  values: number[];
}

/** A number that no kernel with probes has. */
const traceBinding = 15;
const wordsPerEvent = 5;

/** A kernel with probes: with a buffer more it is another one. */
const tracedFile = "traced.wgsl";

const declarations = (probes: number) => `
// Of ${probes} probes: how often a thread came by one, and then the events in the order of their arrival.
@group(0) @binding(${traceBinding}) var<storage, read_write> traceWords: array<atomic<u32>>;

fn traceEvent(probe: u32, values: vec4u) {
  let at = 1u + ${wordsPerEvent}u * atomicAdd(&traceWords[0], 1u);
  if (at + ${wordsPerEvent - 1}u < arrayLength(&traceWords)) {
    atomicStore(&traceWords[at], probe);
    atomicStore(&traceWords[at + 1u], values.x);
    atomicStore(&traceWords[at + 2u], values.y);
    atomicStore(&traceWords[at + 3u], values.z);
    atomicStore(&traceWords[at + 4u], values.w);
  }
}
`;

/**
 * The same files, with probes in them. Their other lines stay as they are.
 * @throws Error if a probe's text does not stand on exactly one line of its file
 */
export function withProbes(shaders: ShaderLibrary, probes: readonly Probe[]): ShaderLibrary {
  const library = new Map(shaders);
  for (const file of new Set(probes.map((probe) => probe.file))) {
    const text = shaders.get(file);
    if (text === undefined) throw new Error(`There is no shader ${file}.`);
    const lines = text.split("\n");
    const inFile = probes.map((probe, index) => ({ probe, index })).filter(({ probe }) => probe.file === file);
    const insertions = inFile.map(({ probe, index }) => {
      const values = [...probe.values, "0u", "0u", "0u", "0u"].slice(0, 4);
      const call = `traceEvent(${index}u, vec4u(${values.join(", ")}));`;
      return { call, line: findLine(text, probe.at) - (probe.before ? 1 : 0) };
    });
    // From the last to the first, so that the places of the others stay.
    for (const { call, line } of insertions.sort((a, b) => b.line - a.line)) lines.splice(line, 0, call);
    library.set(file, lines.join("\n"));
  }
  return library;
}

/**
 * Runs a kernel of the project once with probes in it.
 * @param capacity events that are kept; those beyond are counted
 * @param library the files that it is composed of
 * @returns the events in the order in which the GPU's threads told them, how many there were in all, and what the kernel
 * left in its buffers
 * @throws ShaderError if it does not compile
 */
export async function traceKernel(
  gpu: Gpu,
  kernel: BenchKernel,
  probes: readonly Probe[],
  capacity = 65_536,
  library: ShaderLibrary = gpu.shaders,
): Promise<{ events: TraceEvent[]; count: number; buffers: Record<string, ArrayBuffer> }> {
  const traced = {
    ...kernel,
    file: tracedFile,
    buffers: { ...kernel.buffers, traceWords: 4 * (1 + wordsPerEvent * capacity) },
  };
  const probedLibrary = new Map(withProbes(library, probes)).set(
    tracedFile,
    `#import ${kernel.file}${declarations(probes.length)}`,
  );
  const { traceWords: recorded, ...buffers } = await runKernel(gpu, traced, probedLibrary);
  const words = new Uint32Array(recorded);
  const lines = probes.map(({ file, at }) => findLine(library.get(file)!, at));
  const events: TraceEvent[] = [];
  for (let e = 0; e < Math.min(words[0], capacity); e++) {
    const [index, ...values] = words.subarray(1 + wordsPerEvent * e, 1 + wordsPerEvent * (e + 1));
    const { name, file, values: told } = probes[index];
    events.push({ probe: name, file, line: lines[index], values: values.slice(0, told.length) });
  }
  return { events, count: words[0], buffers };
}
