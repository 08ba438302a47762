import type { ShaderLibrary } from "../shaders.js";

/** WGSL that replaces stages of a training step. */
export interface CustomStages {
  /** The functions `loss` and `lossGradient`. */
  loss?: string | undefined;
  /** The function `optimize`. */
  optimizer?: string | undefined;
}

/** How a custom stage is called: what the kernels' own code is replaced by. */
interface Call {
  /** The functions that the stage must have. */
  functions: string[];
  file: string;
  before: RegExp;
  after: string;
}

const calls: Record<keyof CustomStages, Call> = {
  loss: {
    functions: ["loss", "lossGradient"],
    file: "shared/loss.wgsl",
    before: /2\.0 \* weight \* error/,
    after: "weight * lossGradient(composite(pixel), targetRgb)",
  },
  optimizer: {
    functions: ["optimize"],
    file: "shared/adam.wgsl",
    before: /(?<=^fn adam\(.*\{.*\n)[^}]*/m,
    after: "  return optimize(state, gradient, job.rates[field / 4u][field % 4u] * dispatch.schedule);\n",
  },
};

/**
 * Returns the kernels with custom stages. Errors of the compiler name their lines as those of `loss.wgsl` and
 * `optimizer.wgsl`.
 * @param measuresLoss whether statistics contain the custom loss instead of the squared error
 * @throws Error if a stage lacks a function
 */
export function withStages(shipped: ShaderLibrary, stages: CustomStages, measuresLoss = false): ShaderLibrary {
  const library = new Map(shipped);
  const edit = (file: string, before: RegExp, after: string) => {
    const text = library.get(file)!;
    if (!before.test(text)) throw new Error(`${file} contains no ${before}.`);
    library.set(file, text.replace(before, after));
  };
  for (const name of ["loss", "optimizer"] as const) {
    const stage = stages[name];
    if (stage === undefined) continue;
    const { functions, file, before, after } = calls[name];
    const missing = functions.find((required) => !new RegExp(`\\bfn\\s+${required}\\s*\\(`).test(stage));
    if (missing) throw new Error(`The WGSL of ${name} must have a function ${missing}.`);
    library.set(`${name}.wgsl`, stage);
    edit(file, before, after);
    // Instead of the comment in the first line, so that other lines keep their numbers.
    edit(file, /^.*/, `#import ${name}.wgsl`);
  }
  if (measuresLoss && stages.loss !== undefined) {
    edit(calls.loss.file, /dot\(error, error\)/, "loss(composite(pixel), targetRgb)");
  }
  return library;
}
