import type { ShaderLibrary } from "../shaders.js";
import { type Token, tokensOf } from "./tokens.js";

/** What stands by itself in a WGSL file: a function, struct, variable, constant, override or alias. */
export interface Declaration {
  name: string;
  file: string;
  /** With its attributes. */
  tokens: Token[];
}

/** A buffer of a kernel, as its WGSL declares it. */
export interface DeclaredBinding {
  binding: number;
  name: string;
  access: "uniform" | "read" | "read_write";
  type: string;
}

const declarationKeywords = new Set(["fn", "struct", "var", "const", "override", "alias"]);

/** Of each library's files, each parsed once. */
const parsed = new WeakMap<ShaderLibrary, Map<string, Declaration[]>>();

/** The declarations of a file, without directives and assertions, which have no name. */
export function declarationsOf(library: ShaderLibrary, file: string): Declaration[] {
  const files = parsed.get(library) ?? new Map<string, Declaration[]>();
  parsed.set(library, files);
  if (!files.has(file)) files.set(file, parse(file, library.get(file) ?? ""));
  return files.get(file)!;
}

function parse(file: string, text: string): Declaration[] {
  const found: Declaration[] = [];
  let tokens: Token[] = [];
  let depth = 0;
  for (const token of tokensOf(text.replace(/^\s*#import.*$/gm, ""))) {
    tokens.push(token);
    if (token.text === "{" || token.text === "(") depth++;
    else if (token.text === "}" || token.text === ")") depth--;
    if (depth > 0 || (token.text !== ";" && token.text !== "}")) continue;
    const name = declaredName(tokens);
    if (name) found.push({ name, file, tokens });
    tokens = [];
  }
  return found;
}

function declaredName(tokens: Token[]): string | undefined {
  let at = tokens.findIndex(({ text }) => declarationKeywords.has(text)) + 1;
  if (at === 0) return undefined;
  // A variable's address space stands before its name.
  if (tokens[at]?.text === "<") at = tokens.findIndex(({ text }, other) => other > at && text === ">") + 1;
  return tokens[at]?.text;
}

/** The buffers among declarations, by number: those of group 0. */
export function buffersAmong(declarations: readonly Declaration[]): DeclaredBinding[] {
  const buffers = declarations.flatMap(({ name, tokens }): DeclaredBinding[] => {
    const source = tokens.map(({ text }) => text).join(" ");
    const [, binding, space, access = "read", type] =
      /^@ group \( 0 \) @ binding \( (\d+)\w* \) var < (\w+) (?:, (\w+) )?> \w+ : (.+) ;$/.exec(source) ?? [];
    if (!space) return [];
    const isUniform = space === "uniform";
    return [
      {
        binding: Number(binding),
        name,
        access: isUniform ? "uniform" : (access as DeclaredBinding["access"]),
        type: type.replaceAll(" ", "").replaceAll(",", ", "),
      },
    ];
  });
  return buffers.sort((a, b) => a.binding - b.binding);
}

/** A file and all that it imports, itself first, nearest ones next. What does not exist is left out. */
export function filesOf(library: ShaderLibrary, file: string): string[] {
  const files = [file];
  for (const from of files) {
    for (const [, imported] of (library.get(from) ?? "").matchAll(/^\s*#import\s+(\S+)\s*$/gm)) {
      if (library.has(imported) && !files.includes(imported)) files.push(imported);
    }
  }
  return files;
}

/** The comment with which a file begins: what it is for. */
export function headerComment(text: string): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith("//")) break;
    lines.push(line.replace(/^\/\/\s?/, ""));
  }
  return lines.join(" ");
}
