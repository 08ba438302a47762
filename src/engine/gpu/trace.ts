import { findLine } from "../lines.js";
import type { ShaderLibrary } from "../shaders.js";
import type { Gpu } from "./device.js";
import { type BenchKernel, runKernel } from "./workbench.js";

/** A point in a kernel that records an event each time a thread reaches it. */
export interface Probe {
  name: string;
  /** Its path under shaders/. */
  file: string;
  /** A text on exactly one line of the file. The probe is inserted after that line, or before it. */
  at: string;
  before?: boolean;
  /** Up to four WGSL expressions of u32 to record; `bitcast<u32>(x)` records a float. */
  values: string[];
}

/** An event: a thread reached a probe. */
interface TraceEvent {
  probe: string;
  file: string;
  /** Line of the probe's text, from 1. */
  line: number;
  /** The recorded bits. */
  values: number[];
}

/** A binding number that no kernel with probes uses. */
const traceBinding = 15;
const wordsPerEvent = 5;

/** The file of a kernel with probes, which has one buffer more than the original. */
const tracedFile = "traced.wgsl";

const declarations = (probes: number) => `
// Of ${probes} probes: the number of events, then the events in the order of arrival.
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
 * Returns the library with probes inserted.
 * @throws Error if a probe's text is not on exactly one line of its file
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
    // From last to first, so that insertions do not shift the others.
    for (const { call, line } of insertions.sort((a, b) => b.line - a.line)) lines.splice(line, 0, call);
    library.set(file, lines.join("\n"));
  }
  return library;
}

/**
 * Runs a kernel once with probes.
 * @param capacity number of events that are stored; later ones are only counted
 * @param library the library that contains it
 * @returns the events in the order in which the GPU's threads recorded them, the number of all events, and the contents
 * of the writable buffers
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
    const { name, file, values: expressions } = probes[index];
    events.push({ probe: name, file, line: lines[index], values: values.slice(0, expressions.length) });
  }
  return { events, count: words[0], buffers };
}
