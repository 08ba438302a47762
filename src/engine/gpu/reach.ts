import { filesOf } from "./declarations.js";
import type { KernelSource } from "./kernel.js";
import type { ShaderLibrary } from "./shaders.js";
import { type Token, tokensOf } from "./tokens.js";

/** What stands by itself in a WGSL file: a function, struct, variable, constant, override or alias. */
interface Declaration {
  name: string;
  file: string;
  tokens: Token[];
}

const declaring = new Set(["fn", "struct", "var", "const", "override", "alias"]);

/** The declarations of a file with their attributes, without directives and assertions, which have no name. */
function declarationsOf(file: string, text: string): Declaration[] {
  const found: Declaration[] = [];
  let tokens: Token[] = [];
  let depth = 0;
  for (const token of tokensOf(text.replace(/^\s*#import.*$/gm, ""))) {
    tokens.push(token);
    if (token.text === "{" || token.text === "(") depth++;
    else if (token.text === "}" || token.text === ")") depth--;
    if (depth > 0 || (token.text !== ";" && token.text !== "}")) continue;
    const name = nameOf(tokens);
    if (name) found.push({ name, file, tokens });
    tokens = [];
  }
  return found;
}

function nameOf(tokens: Token[]): string | undefined {
  let at = tokens.findIndex(({ text }) => declaring.has(text)) + 1;
  if (at === 0) return undefined;
  // A variable's address space stands before its name.
  if (tokens[at]?.text === "<") at = tokens.findIndex(({ text }, other) => other > at && text === ">") + 1;
  return tokens[at]?.text;
}

/** Without what stands in branches that the overrides close: `if (NAME) { … }`, and what follows one that returns. */
function openTokens(tokens: readonly Token[], overrides: Record<string, number>): Token[] {
  const open: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    open.push(tokens[at]);
    const [word, left, { text: name } = { text: "" }, right, brace] = tokens.slice(at, at + 5);
    const isBranch = word.text === "if" && left?.text === "(" && right?.text === ")" && brace?.text === "{";
    if (!isBranch || !(name in overrides)) continue;
    const end = endOfBlock(tokens, at + 5);
    const inside = openTokens(tokens.slice(at + 5, end), overrides);
    open.push(...tokens.slice(at + 1, at + 5), ...(overrides[name] ? inside : []));
    const returns = overrides[name] && lastStatement(inside) === "return";
    at = (returns ? endOfBlock(tokens, end + 1) : end) - 1;
  }
  return open;
}

/** Where the block that is open there ends: at its brace. */
function endOfBlock(tokens: readonly Token[], from: number): number {
  let depth = 1;
  for (let at = from; at < tokens.length; at++) {
    if (tokens[at].text === "{") depth++;
    else if (tokens[at].text === "}" && --depth === 0) return at;
  }
  return tokens.length;
}

/** The first word of the last statement of a block. */
function lastStatement(tokens: readonly Token[]): string | undefined {
  const before = tokens.findLastIndex(({ text }, at) => at < tokens.length - 1 && /[;{}]/.test(text));
  return tokens[before + 1]?.text;
}

const isWord = /^[\p{XID_Start}_]/u;

/** The words by which a declaration may name others: no members, and none of its own variables unless it calls them. */
function wordsOf(tokens: readonly Token[]): Set<string> {
  const around = (at: number) => [tokens[at - 1]?.text ?? "", tokens[at + 1]?.text ?? ""];
  const own = new Set<string>();
  for (const [at, { text }] of tokens.entries()) {
    const [before, after] = around(at);
    if (at > 2 && (/^(?:let|var|const)$/.test(before) || (/^[(,)]$/.test(before) && after === ":"))) own.add(text);
  }
  const words = new Set<string>();
  for (const [at, { text }] of tokens.entries()) {
    const [before, after] = around(at);
    if (isWord.test(text) && before !== "." && (!own.has(text) || after === "(")) words.add(text);
  }
  return words;
}

const said = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join(" ");

/** The declarations of a library by file and name, and what each says, comments and blanks aside. */
export function declared(library: ShaderLibrary): Map<string, string> {
  const all = [...library].flatMap(([file, text]) => declarationsOf(file, text));
  return new Map(all.map(({ file, name, tokens }) => [`${file} ${name}`, said(tokens)]));
}

/**
 * What kernels run: all that their entry points name, whoever stands between them, by file and name, with what each
 * says. Branches that the kernels' overrides close are not run.
 */
export function reached(library: ShaderLibrary, kernels: Iterable<KernelSource>): Map<string, string> {
  const texts = new Map<string, string>();
  const parsed = new Map<string, Declaration[]>();
  for (const { file, constants } of kernels) {
    const all = filesOf(library, file).flatMap((one) => {
      if (!parsed.has(one)) parsed.set(one, declarationsOf(one, library.get(one) ?? ""));
      return parsed.get(one)!;
    });
    const found = all.filter((one) => one.file === file && one.name === "main");
    for (const one of found) {
      const tokens = openTokens(one.tokens, constants);
      const words = wordsOf(tokens);
      for (const other of all) if (words.has(other.name) && !found.includes(other)) found.push(other);
      const key = `${one.file} ${one.name}`;
      texts.set(key, `${texts.get(key) ?? ""}${said(tokens)}\n`);
    }
  }
  return texts;
}
