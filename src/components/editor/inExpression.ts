/** Returns where expressions of Markdown start, after their `${`. */
export function expressionStarts(text: string): number[] {
  const starts = Array.from(text.matchAll(/\$\{/g), ({ index }) => index + 2);
  return starts.filter((start) => !isInExpression(text, start - 2) && isInExpression(text, start));
}

/** Returns whether a position of Markdown is in an expression, `${…}`, which ends at the latest with its paragraph. */
export function isInExpression(text: string, at: number): boolean {
  const outside = /`[^`\n]*`|\$\{/g;
  const inside = /[{}]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
  let depth = 0;
  let position = text.lastIndexOf("\n\n", at - 1) + 1;
  for (;;) {
    const tokens = depth > 0 ? inside : outside;
    tokens.lastIndex = position;
    const token = tokens.exec(text);
    if (!token || token.index >= at) return depth > 0;
    position = tokens.lastIndex;
    if (token[0].endsWith("{")) depth++;
    else if (token[0] === "}") depth--;
  }
}
