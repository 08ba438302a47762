import type { ShaderLibrary } from "../shaders.js";
import { buffersAmong, type Declaration, type DeclaredBinding, declarationsOf, filesOf } from "./declarations.js";
import type { KernelSource } from "./kernel.js";
import type { Token } from "./tokens.js";

/**
 * Returns tokens without branches that overrides disable: `if (NAME) { … }` or `!NAME`, and code after one that
 * returns.
 */
function reachableTokens(tokens: readonly Token[], overrides: Record<string, number>): Token[] {
  const open: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    open.push(tokens[at]);
    if (tokens[at].text !== "if") continue;
    const isNegated = tokens[at + 2]?.text === "!";
    const begin = at + (isNegated ? 6 : 5);
    const [name, right, brace] = tokens.slice(begin - 3, begin).map(({ text }) => text);
    if (right !== ")" || brace !== "{" || !(name in overrides)) continue;
    const end = endOfBlock(tokens, begin);
    const inside = reachableTokens(tokens.slice(begin, end), overrides);
    const isOpen = Boolean(overrides[name]) !== isNegated;
    open.push(...tokens.slice(at + 1, begin), ...(isOpen ? inside : []));
    const returns = isOpen && lastStatement(inside) === "return";
    at = (returns ? endOfBlock(tokens, end + 1) : end) - 1;
  }
  return open;
}

/** Returns the index of the brace that closes the block open at `from`. */
function endOfBlock(tokens: readonly Token[], from: number): number {
  let depth = 1;
  for (let at = from; at < tokens.length; at++) {
    if (tokens[at].text === "{") depth++;
    else if (tokens[at].text === "}" && --depth === 0) return at;
  }
  return tokens.length;
}

/** Returns the first word of a block's last statement. */
function lastStatement(tokens: readonly Token[]): string | undefined {
  const before = tokens.findLastIndex(({ text }, at) => at < tokens.length - 1 && /[;{}]/.test(text));
  return tokens[before + 1]?.text;
}

const isWord = /^[\p{XID_Start}_]/u;

/** Returns the words by which a declaration may refer to others: not members. */
function referencedNames(tokens: readonly Token[]): Set<string> {
  const names = tokens.filter(({ text }, at) => isWord.test(text) && tokens[at - 1]?.text !== ".");
  return new Set(names.map(({ text }) => text));
}

const joinTokens = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join(" ");

/** Returns the text of each declaration of a library without comments and spaces, by file and name. */
export function declarationTexts(library: ShaderLibrary): Map<string, string> {
  const all = [...library.keys()].flatMap((file) => declarationsOf(library, file));
  return new Map(all.map(({ file, name, tokens }) => [`${file} ${name}`, joinTokens(tokens)]));
}

/** Returns every declaration reachable from `main`, starting with `main`, without branches that overrides disable. */
function reachableDeclarations(
  library: ShaderLibrary,
  entry: string,
  overrides: Record<string, number> = {},
): Declaration[] {
  const all = filesOf(library, entry).flatMap((file) => declarationsOf(library, file));
  const found = new Set(all.filter(({ name }) => name === "main"));
  for (const declaration of found) {
    const words = referencedNames(reachableTokens(declaration.tokens, overrides));
    for (const candidate of all) if (words.has(candidate.name)) found.add(candidate);
  }
  return [...found];
}

/** Returns the text of every declaration that kernels reach, by file and name. */
export function reachableTexts(library: ShaderLibrary, kernels: Iterable<KernelSource>): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { file: entry, constants } of kernels) {
    for (const { file, name, tokens } of reachableDeclarations(library, entry, constants)) {
      const key = `${file} ${name}`;
      texts.set(key, `${texts.get(key) ?? ""}${joinTokens(reachableTokens(tokens, constants))}\n`);
    }
  }
  return texts;
}

/**
 * Returns the buffers that a kernel reaches, by binding number.
 * @param overrides constants that disable branches; none if absent, as for bind groups
 */
export function bindingsOf(
  library: ShaderLibrary,
  entry: string,
  overrides?: Record<string, number>,
): DeclaredBinding[] {
  return buffersAmong(reachableDeclarations(library, entry, overrides));
}
