import type { ShaderLibrary } from "../shaders.js";
import { type Token, tokensOf } from "./tokens.js";

/** A module-scope declaration of a WGSL file: a function, struct, variable, constant, override or alias. */
export interface Declaration {
  name: string;
  file: string;
  /** Including attributes. */
  tokens: Token[];
}

/** A buffer as declared in WGSL. */
export interface DeclaredBinding {
  binding: number;
  name: string;
  access: "uniform" | "read" | "read_write";
  type: string;
}

const declarationKeywords = new Set(["fn", "struct", "var", "const", "override", "alias"]);

/** Parsed files of each library. */
const parsed = new WeakMap<ShaderLibrary, Map<string, Declaration[]>>();

/** Returns the named declarations of a file: no directives, no assertions. */
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
  // A variable's address space precedes its name.
  if (tokens[at]?.text === "<") at = tokens.findIndex(({ text }, other) => other > at && text === ">") + 1;
  return tokens[at]?.text;
}

/** Returns the buffers of group 0 among declarations, by binding number. */
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

/** Returns a file and everything that it imports, breadth first. Missing files are skipped. */
export function filesOf(library: ShaderLibrary, file: string): string[] {
  const files = [file];
  for (const from of files) {
    for (const [, imported] of (library.get(from) ?? "").matchAll(/^\s*#import\s+(\S+)\s*$/gm)) {
      if (library.has(imported) && !files.includes(imported)) files.push(imported);
    }
  }
  return files;
}

/** Returns the header comment of a file. */
export function headerComment(text: string): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith("//")) break;
    lines.push(line.replace(/^\/\/\s?/, ""));
  }
  return lines.join(" ");
}
