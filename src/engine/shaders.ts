import { clamp } from "./clamp.js";

/** The text of every WGSL file, by its path under shaders/, such as "shared/blob.wgsl". */
export type ShaderLibrary = ReadonlyMap<string, string>;

/** A composed module, and the origin of each of its lines. */
export interface ComposedShader {
  code: string;
  /** For line n of `code`, counted from 1: lines[n − 1]. */
  lines: { file: string; line: number }[];
}

const importLine = /^\s*#import\s+(\S+)\s*$/;

/**
 * Returns a WGSL file with everything that its `#import` lines name before it, each file once.
 * @throws ShaderError at the file and line of an import that does not exist
 */
export function composeShader(library: ShaderLibrary, name: string): ComposedShader {
  const code: string[] = [];
  const lines: ComposedShader["lines"] = [];
  const seen = new Set<string>();
  const add = (file: string, from: { file: string; line: number; column: number }) => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = library.get(file);
    if (text === undefined) throw new ShaderError([{ ...from, type: "error", text: `there is no shader ${file}` }]);
    const ownLines: [string, number][] = [];
    for (const [index, line] of text.split("\n").entries()) {
      const imported = importLine.exec(line)?.[1];
      if (imported) add(imported, { file, line: index + 1, column: line.indexOf(imported) + 1 });
      else ownLines.push([line, index + 1]);
    }
    for (const [line, number] of ownLines) {
      code.push(line);
      lines.push({ file, line: number });
    }
  };
  add(name, { file: name, line: 1, column: 1 });
  // WGSL requires directives to come first.
  const order = [...code.keys()].sort((a, b) => Number(isDirective(code[b])) - Number(isDirective(code[a])));
  return { code: order.map((index) => code[index]).join("\n"), lines: order.map((index) => lines[index]) };
}

function isDirective(line: string): boolean {
  return /^\s*(enable|requires|diagnostic)\b/.test(line);
}

/** A compiler's message, at the file and line of the source before composition. */
export interface ShaderMessage {
  file: string;
  line: number;
  column: number;
  type: GPUCompilationMessageType;
  text: string;
}

/** A kernel does not compile. The message lists every error with its file and line. */
export class ShaderError extends Error {
  override name = "ShaderError";
  constructor(readonly messages: ShaderMessage[]) {
    super(messages.map(({ file, line, column, text }) => `${file}:${line}:${column}: ${text}`).join("\n"));
  }
}

/** Returns the compiler's messages on a file at their origin. */
export function locate(
  messages: Iterable<GPUCompilationMessage>,
  name: string,
  composed: ComposedShader,
): ShaderMessage[] {
  const { lines } = composed;
  return Array.from(messages, ({ lineNum, linePos, type, message }) => {
    const text = sentenceOf(message);
    if (lineNum === 0) return { ...locateFromMessage(text, name, composed), type };
    const { file, line } = lines[clamp(lineNum, 1, lines.length) - 1];
    return { file, line, column: linePos, type, text };
  });
}

/**
 * Returns a compiler's message without the name of the composed file and its excerpt, which wgpu adds. Its validator
 * lists reasons, of which the last is the cause.
 */
function sentenceOf(message: string): string {
  const [, headline] = /^\s*Shader (?:'.*?' parsing|validation) error: (.*)/.exec(message) ?? [];
  if (headline === undefined) return message;
  return [...message.matchAll(/^ += (?!note: )(.+)/gm)].at(-1)?.[1] ?? headline;
}

/**
 * Returns an error without a line, such as one of pipeline creation, at the zero byte, binding, override or workgroup
 * size that it mentions, otherwise at the kernel's entry point.
 */
export function locateFromMessage(message: string, name: string, { code, lines }: ComposedShader): ShaderMessage {
  const [, binding] = /binding[\s:#@(]*(\d+)/i.exec(message) ?? [];
  const override = [...message.matchAll(/["'`](\w+)["'`]/g)].find(([, word]) => code.includes(`override ${word}`))?.[1];
  const patterns = [
    message.includes("'\\0'") && /\0/,
    binding && new RegExp(`@binding\\(\\s*${binding}u?\\s*\\)`),
    override && new RegExp(`override\\s+${override}\\b`),
    /workgroup[ _](?:size|storage)|invocations/i.test(message) && /@workgroup_size/,
    /@compute\b/,
    /\bfn\s+main\b/,
  ];
  // The lines after the first only give context.
  const text = message.split("\n")[0];
  const codeLines = code.split("\n");
  for (const pattern of patterns) {
    if (!pattern) continue;
    const at = codeLines.findIndex((line) => pattern.test(line));
    if (at >= 0) return { ...lines[at], column: codeLines[at].search(pattern) + 1, type: "error", text };
  }
  return { file: name, line: 1, column: 1, type: "error", text };
}

/** Returns each message once; several kernels import the same files. */
export function distinctMessages(messages: Iterable<ShaderMessage>): ShaderMessage[] {
  const byText = new Map(Array.from(messages, (m) => [JSON.stringify([m.file, m.line, m.column, m.type, m.text]), m]));
  return [...byText.values()];
}
