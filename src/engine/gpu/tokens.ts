/** A word or symbol of WGSL. */
export interface Token {
  text: string;
  /** Offset of its first character. */
  at: number;
  /** Line, from 0. */
  line: number;
}

/** Returns words and symbols, without spaces and comments, which may be nested in WGSL. */
export function tokensOf(code: string): Token[] {
  const tokens: Token[] = [];
  const next = /\n|\/\/|\/\*|->|[\p{XID_Start}_][\p{XID_Continue}]*|\d\w*|\S/gu;
  let line = 0;
  for (let found = next.exec(code); found; found = next.exec(code)) {
    const [text] = found;
    if (text === "\n") line++;
    else if (text === "//") next.lastIndex = code.indexOf("\n", found.index) + 1 || code.length;
    else if (text === "/*") next.lastIndex = endOfComment(code, found.index);
    else tokens.push({ text, at: found.index, line });
    if (text === "//") line++;
    else if (text === "/*") line += code.slice(found.index, next.lastIndex).split("\n").length - 1;
  }
  return tokens;
}

/** Returns the end of the comment at `start`, including nested ones. */
function endOfComment(code: string, start: number): number {
  const sign = /\/\*|\*\//g;
  sign.lastIndex = start;
  let depth = 0;
  for (let found = sign.exec(code); found; found = sign.exec(code)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return sign.lastIndex;
  }
  return code.length;
}
