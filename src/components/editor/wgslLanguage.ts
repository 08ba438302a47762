import { StreamLanguage } from "@codemirror/language";

const wordsOf = (text: string) => new RegExp(`^(?:${text.replaceAll(" ", "|")})\\b`);

/** The tokens of WGSL with `#import` lines, except block comments. The first that matches counts. */
const tokens: [RegExp, string | null][] = [
  [/^\s+/, null],
  [/^#import\b.*/, "meta"],
  [/^\/\/.*/, "comment"],
  [/^@\s*[A-Za-z_]\w*/, "attributeName"],
  [/^(?:0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[iufh]?/, "number"],
  [wordsOf("break case continue continuing default discard else for if loop return switch while"), "keyword"],
  [wordsOf("alias const const_assert false fn let override struct true var diagnostic enable requires"), "keyword"],
  [wordsOf("array atomic bool f16 f32 i32 u32 ptr sampler sampler_comparison function private"), "typeName"],
  [wordsOf("read read_write storage uniform workgroup write texture_\\w+"), "typeName"],
  [/^(?:vec[234][fhiu]?|mat[234]x[234][fh]?|[A-Z]\w*[a-z]\w*)\b/, "typeName"],
  [/^[A-Za-z_]\w*(?=\s*\()/, "variableName.function"],
  [/^[A-Za-z_]\w*/, "variableName"],
  [/^(?:[-+*%&|^!<>=~]|\/(?![/*]))+/, "operator"],
  [/^./, null],
];

/** The state is the number of open block comments, which nest in WGSL, and that of open brackets. */
export const wgsl = StreamLanguage.define({
  name: "wgsl",
  startState: () => ({ comments: 0, depth: 0 }),
  token(stream, state) {
    if (stream.match("/*")) {
      state.comments++;
      return "comment";
    }
    if (state.comments > 0) {
      if (stream.match("*/")) state.comments--;
      else stream.match(/^.(?:(?!\/\*|\*\/).)*/);
      return "comment";
    }
    const [, token] = tokens.find(([pattern]) => stream.match(pattern))!;
    if (/^[{([]$/.test(stream.current())) state.depth++;
    if (/^[})\]]$/.test(stream.current())) state.depth = Math.max(0, state.depth - 1);
    return token;
  },
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{"] },
    indentOnInput: /^\s*[}\])]$/,
  },
  indent: ({ depth }, textAfter, { unit }) => unit * Math.max(0, depth - (/^[})\]]/.test(textAfter) ? 1 : 0)),
});
