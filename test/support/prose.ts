/** A piece of text that a person reads: of a page, a comment or a string. */
export interface Passage {
  line: number;
  text: string;
}

/** Returns the text of a file that people read, by the ending of its name: all of a page, comments and strings of code. */
export function passagesOf(path: string, source: string): Passage[] {
  if (/\.(md|cff)$/.test(path)) return source.split("\n").map((text, i) => ({ line: i + 1, text }));
  return codePassages(source).filter(({ text }) => /\s/.test(text) || /^[A-Z]/.test(text));
}

/** Comments and strings of TypeScript, JavaScript, CSS or WGSL, a passage for each of their lines. */
function codePassages(source: string): Passage[] {
  const passages: Passage[] = [];
  // Where a template's expression is within braces, how many are open.
  const braces: number[] = [];
  let at = 0;
  const take = (end: RegExp) => {
    end.lastIndex = at;
    const found = end.exec(source);
    const to = found ? found.index : source.length;
    add(source.slice(at, to), at);
    at = to + (found?.[0].length ?? 0);
    return found?.[0];
  };
  const add = (text: string, from: number) => {
    const first = source.slice(0, from).split("\n").length;
    passages.push(...text.split("\n").map((line, i) => ({ line: first + i, text: line.replace(/^\s*\*? ?/, "") })));
  };
  while (at < source.length) {
    const rest = source.slice(at, at + 2);
    if (rest === "//") take(/(?=\n)|$/g);
    else if (rest === "/*") take(/\*\//g);
    else if (source[at] === "/" && /(^|[(,=:[!&|?{};\n])\s*$/.test(source.slice(Math.max(0, at - 40), at))) {
      const regex = /\/(?:\\.|\[(?:\\.|[^\]\n\\])*\]|[^/\n\\[])+\//y;
      regex.lastIndex = at;
      at += regex.exec(source)?.[0].length ?? 1;
    } else if (source[at] === '"' || source[at] === "'") {
      const quote = source[at++];
      take(quote === '"' ? /(?<!\\)(?:"|(?=\n))/g : /(?<!\\)(?:'|(?=\n))/g);
    } else if (source[at] === "`" || (source[at] === "}" && braces.at(-1) === 0)) {
      if (source[at++] === "}") braces.pop();
      if (take(/(?<!\\)(?:`|\$\{)/g) === "${") braces.push(0);
    } else {
      if (braces.length > 0 && source[at] === "{") braces[braces.length - 1]++;
      if (braces.length > 0 && source[at] === "}") braces[braces.length - 1]--;
      at++;
    }
  }
  return passages;
}
