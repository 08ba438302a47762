import type { ShaderLibrary } from "../shaders.js";
import { buffersAmong, type Declaration, type DeclaredBinding, declarationsOf, filesOf } from "./declarations.js";
import type { KernelSource } from "./kernel.js";
import type { Token } from "./tokens.js";

const isWord = /^[\p{XID_Start}_]/u;

/** Returns the words by which a declaration may refer to others: not members. */
function referencedNames(tokens: readonly Token[]): Set<string> {
  const names = tokens.filter(({ text }, at) => isWord.test(text) && tokens[at - 1]?.text !== ".");
  return new Set(names.map(({ text }) => text));
}

/** Returns the texts of declarations without comments and spaces, by file and name. */
function textsOf(declarations: readonly Declaration[]): Map<string, string> {
  return new Map(
    declarations.map(({ file, name, tokens }) => [`${file} ${name}`, tokens.map(({ text }) => text).join(" ")]),
  );
}

/** Returns the text of each declaration of a library. */
export function declarationTexts(library: ShaderLibrary): Map<string, string> {
  return textsOf([...library.keys()].flatMap((file) => declarationsOf(library, file)));
}

/** Returns every declaration reachable from `main`, starting with `main`. */
function reachableDeclarations(library: ShaderLibrary, entry: string): Declaration[] {
  const all = filesOf(library, entry).flatMap((file) => declarationsOf(library, file));
  const found = new Set(all.filter(({ name }) => name === "main"));
  for (const declaration of found) {
    const words = referencedNames(declaration.tokens);
    for (const candidate of all) if (words.has(candidate.name)) found.add(candidate);
  }
  return [...found];
}

/** Returns the text of every declaration that kernels reach, by file and name. */
export function reachableTexts(library: ShaderLibrary, kernels: readonly KernelSource[]): Map<string, string> {
  return textsOf(kernels.flatMap(({ file }) => reachableDeclarations(library, file)));
}

/** Returns the buffers that a kernel reaches, by binding number. */
export function bindingsOf(library: ShaderLibrary, entry: string): DeclaredBinding[] {
  return buffersAmong(reachableDeclarations(library, entry));
}
