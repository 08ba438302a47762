import { StreamLanguage, type StringStream } from "@codemirror/language";

const wordSet = (text: string) => new Set(text.split(" "));

const controlKeywords = wordSet("break case continue continuing default discard else for if loop return switch while");
const declarationKeywords = wordSet("alias const const_assert fn let override struct var diagnostic enable requires");
const booleans = wordSet("true false");
const types = wordSet(
  "array atomic bool f16 f32 i32 u32 ptr sampler sampler_comparison function private read read_write storage uniform " +
    "workgroup write",
);
const vectorType = /^(?:vec[234][fhiu]?|mat[234]x[234][fh]?|texture_\w+)$/;

interface State {
  /** Block comments nest in WGSL. */
  comments: number;
  /** The number of open brackets. */
  depth: number;
}

/** WGSL with `#import` lines. */
export const wgsl = StreamLanguage.define<State>({
  name: "wgsl",
  startState: () => ({ comments: 0, depth: 0 }),
  token(stream, state) {
    if (state.comments > 0 || stream.match("/*")) return blockComment(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.sol() && stream.match(/^#import\b.*/)) return "meta";
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^@\s*[A-Za-z_]\w*/)) return "attributeName";
    if (stream.match(/^(?:0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[iufh]?/))
      return "number";
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (word && word !== true) return wordToken(word[0], stream);
    if (stream.match(/^[-+*/%&|^!<>=~]+/)) return "operator";
    const next = stream.next() ?? "";
    if ("{([".includes(next)) state.depth++;
    if ("})]".includes(next)) state.depth = Math.max(0, state.depth - 1);
    return null;
  },
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{"] },
    indentOnInput: /^\s*[}\])]$/,
  },
  indent: ({ depth }, textAfter, { unit }) => unit * Math.max(0, depth - (/^[})\]]/.test(textAfter) ? 1 : 0)),
});

function wordToken(word: string, stream: StringStream): string {
  if (controlKeywords.has(word)) return "controlKeyword";
  if (declarationKeywords.has(word)) return "keyword";
  if (booleans.has(word)) return "bool";
  if (types.has(word) || vectorType.test(word)) return "typeName";
  if (/^[A-Z]\w*[a-z]/.test(word)) return "typeName";
  if (stream.match(/^\s*\(/, false)) return "variableName.function";
  return "variableName";
}

function blockComment(stream: StringStream, state: State): string {
  if (state.comments === 0) state.comments = 1;
  while (!stream.eol() && state.comments > 0) {
    if (stream.match("/*")) state.comments++;
    else if (stream.match("*/")) state.comments--;
    else stream.next();
  }
  return "comment";
}
