import type { ComposedShader } from "../shaders.js";
import { type Token, tokensOf } from "./tokens.js";

/** The position of a `loop`, `for` or `while` in a kernel. */
export interface LoopLocation {
  file: string;
  line: number;
}

/** A kernel with bounded loops. */
export interface BoundedShader extends ComposedShader {
  /** Its loops, in the order of their marks in the texture of group 1. */
  loops: LoopLocation[];
}

/** A loop exceeded the allowed iterations and was ended, so the results of its kernel are invalid. */
export class EndlessLoopError extends Error {
  override name = "EndlessLoopError";
  constructor(
    readonly loops: LoopLocation[],
    readonly maxIterations: number,
  ) {
    const locations = loops.map(({ file, line }) => `${file}, line ${line}`).join("; ");
    super(
      `A loop does not seem to end: ${locations}. It was stopped after ${maxIterations.toLocaleString("en")} iterations.`,
    );
  }
}

/** Calls that need all threads, which must not be in a loop that some threads leave early. */
const needsAllThreads =
  /^(?:workgroupBarrier|storageBarrier|textureBarrier|workgroupUniformLoad|(?:subgroup|quad)\w+)$/;

const isLoop = new Set(["loop", "for", "while"]);

/**
 * Returns a kernel in which every loop ends after `maxIterations` and is then marked in a storage texture; kernels may
 * already use all storage buffers. Code is inserted within lines, so line numbers stay. Each loop counts in a variable
 * of its function, which keeps uniform control flow uniform. In a kernel without barriers a thread that has ended one
 * loop ends all others too.
 */
export function boundLoops({ code, lines }: ComposedShader, maxIterations: number): BoundedShader {
  const tokens = tokensOf(code);
  const endsAll = !tokens.some(({ text }) => needsAllThreads.test(text));
  const loops: LoopLocation[] = [];
  const added: { at: number; text: string }[] = [];
  // Of the current function: its first token, the brace that opens it, and the number of loops before it.
  let [head, brace, loopsBefore] = [0, 0, 0];
  let depth = 0;
  for (const [index, { text, at, line }] of tokens.entries()) {
    if (text === "fn") head = index;
    else if (text === "{" && depth++ === 0) [brace, loopsBefore] = [index, loops.length];
    else if (text === "}" && --depth === 0 && loops.length > loopsBefore && tokens[index - 1].text === "}") {
      // A function with an endless loop may lack a final return.
      const [, result] = /->(.+)/.exec(textOf(tokens.slice(head, brace))) ?? [];
      if (result) added.push({ at, text: ` return ${result}(); ` });
    } else if (isLoop.has(text)) {
      const body = tokens.find((token, other) => other > index && token.text === "{");
      added.push({ at, text: `var iterations_${loops.length} = 0u; ` });
      if (body) added.push({ at: body.at + 1, text: iterationCheck(loops.length, maxIterations, endsAll) });
      loops.push(lines[line]);
    }
  }
  if (loops.length === 0) return { code, lines, loops };
  const end = `\nvar<private> has_ended: bool;\n${declaration}\n`;
  return { code: insert(code, added) + end, lines: [...lines, ...Array(3).fill(lines.at(-1))], loops };
}

/** The texture in which a kernel marks the loops that it ended. */
export const endedLoops = { group: 1, binding: 0, format: "r32uint" } as const;

const declaration = `@group(${endedLoops.group}) @binding(${endedLoops.binding}) var ended_loops: texture_storage_2d<${endedLoops.format}, write>;`;

/** Returns the code at the start of a loop's body. */
function iterationCheck(loop: number, maxIterations: number, endsAll: boolean): string {
  const counter = `iterations_${loop}`;
  const mark = `has_ended = true; textureStore(ended_loops, vec2u(${loop}u, 0u), vec4u(1u)); break;`;
  return `${endsAll ? " if (has_ended) { break; }" : ""} if (${counter} == ${maxIterations}u) { ${mark} } ${counter}++;`;
}

const textOf = (tokens: Token[]) => tokens.map(({ text }) => text).join("");

function insert(code: string, added: { at: number; text: string }[]): string {
  let from = 0;
  let output = "";
  for (const { at, text } of added.sort((a, b) => a.at - b.at)) {
    output += code.slice(from, at) + text;
    from = at;
  }
  return output + code.slice(from);
}
