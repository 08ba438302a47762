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
  /** The kinds of the open braces. */
  const open: ("function" | "other")[] = [];
  // Of the current function: its result type as text, whether it has loops, and the first word of its latest statement.
  let result: string | undefined;
  let hasLoops = false;
  let lastStatement = "";
  let depth = 0;
  let statement = 0;
  let startsStatement = true;
  /** The loop that waits for its body's brace. */
  let opening: number | undefined;
  for (const [index, { text, at, line }] of tokens.entries()) {
    if (startsStatement) statement = at;
    if (startsStatement && open.length === 1 && text !== "}") lastStatement = text;
    startsStatement = depth === 0 && (text === ";" || text === "{" || text === "}");
    if (text === "(") depth++;
    else if (text === ")") depth--;
    else if (text === "fn") {
      result = resultOf(tokens, index);
      hasLoops = false;
    } else if (isLoop.has(text)) {
      opening = loops.length;
      hasLoops = true;
      added.push({ at: statement, text: `var iterations_${opening} = 0u; ` });
      loops.push(lines[line]);
    } else if (text === "{") {
      if (opening !== undefined) added.push({ at: at + 1, text: iterationCheck(opening, maxIterations, endsAll) });
      opening = undefined;
      open.push(open.length === 0 ? "function" : "other");
    } else if (text === "}" && open.pop() === "function") {
      // A function with an endless loop may lack a final return.
      if (hasLoops && result !== undefined && lastStatement !== "return")
        added.push({ at, text: ` return ${result}(); ` });
      result = undefined;
      hasLoops = false;
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

/** Returns the result type of the function at a token, as text. */
function resultOf(tokens: Token[], index: number): string | undefined {
  const brace = tokens.findIndex(({ text }, other) => other > index && text === "{");
  const arrow = tokens.findIndex(({ text }, other) => other > index && text === "->");
  if (arrow < 0 || brace < 0 || arrow > brace) return undefined;
  // Only results of entry points have attributes, and kernels return nothing.
  const typeTokens = tokens.slice(arrow + 1, brace);
  return typeTokens.map(({ text }) => text).join("");
}

function insert(code: string, added: { at: number; text: string }[]): string {
  let from = 0;
  let output = "";
  for (const { at, text } of added.sort((a, b) => a.at - b.at)) {
    output += code.slice(from, at) + text;
    from = at;
  }
  return output + code.slice(from);
}
