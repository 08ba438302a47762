import type { CodePairing } from "./codePairs.js";

/** The parts of the kernels that chapters show, and which of their lines do what: by chapter. */
export const codeMarks = {
  gradients: {
    clamp: {
      wgsl: { file: "shared/accumulate.wgsl", from: "fn accumulateParameter" },
      twin: { file: "cpu/accumulate.ts", from: "export function clampGradient" },
      marks: {
        "code:reduce.clamp": {
          wgsl: "let sum = treeReduce(clamp(d",
          twin: "return Math.min(Math.max(gradient, -largest)",
        },
        "code:reduce.memory": { wgsl: "atomicAccumulate(sum, field" },
      },
    },
    reduce: {
      wgsl: { file: "shared/accumulate.wgsl", from: "fn treeReduce" },
      twin: { file: "cpu/accumulate.ts", from: "export function treeReduce" },
      marks: {
        "code:reduce.write": { wgsl: "sh_reduction[localIndex] = value;" },
        "code:reduce.round": {
          wgsl: "for (var stride = firstStride(WORKGROUP_SIZE)",
          twin: "for (let stride = firstStride(",
        },
        "code:reduce.add": {
          wgsl: "sh_reduction[localIndex] += sh_reduction",
          twin: "values[i] += values[i + stride]",
        },
        "code:reduce.result": { wgsl: "return sh_reduction[0];", twin: "return values[0];" },
      },
    },
    swap: {
      wgsl: { file: "shared/accumulate.wgsl", from: "fn atomicAccumulate" },
      marks: {
        "code:swap.zero": { wgsl: "if (value == 0.0)" },
        "code:swap.load": { wgsl: "var seen = atomicLoad(" },
        "code:swap.swap": { wgsl: "let swap = atomicCompareExchangeWeak(" },
        "code:swap.exchanged": { wgsl: "if (swap.exchanged)" },
        "code:swap.retry": { wgsl: "seen = swap.old_value;" },
      },
    },
  },
  adam: {
    update: {
      wgsl: { file: "shared/adam.wgsl", from: "fn adam(" },
      twin: { file: "cpu/adam.ts", from: "export function updateBlobs(" },
      marks: {
        "code:adam.gradient": { wgsl: "fn adam(state", twin: "const gradient = gradients[slot]" },
        "code:adam.first": { wgsl: "let first =", twin: "const m = beta1" },
        "code:adam.second": { wgsl: "let second =", twin: "const v = beta2" },
        "code:adam.rate": { wgsl: "let rate =", twin: "const rate = rates[" },
        "code:adam.step": { wgsl: "let step = rate", twin: "parameters[slot] -=" },
        "code:adam.parameter": { wgsl: "return AdamState(state.parameter -", twin: "parameters[slot] -=" },
      },
    },
  },
} satisfies Record<string, Record<string, CodePairing>>;
