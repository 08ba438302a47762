import { StreamLanguage } from "@codemirror/language";

const keywords = new Set(
  (
    "all and anti any as asc between by case cast create cross desc distinct else end except exists false filter from full " +
    "group having ilike in inner intersect is join lateral left like limit natural not null offset on or order outer " +
    "over partition pivot positional qualify recursive replace right sample select semi table temp then true union " +
    "unpivot using values when where window with"
  ).split(" "),
);

/** DuckDB's SQL, for highlighting. */
export const sql = StreamLanguage.define<{ isComment: boolean }>({
  name: "sql",
  startState: () => ({ isComment: false }),
  token(stream, state) {
    if (state.isComment || stream.match("/*")) {
      state.isComment = !stream.match(/^.*?\*\//);
      if (state.isComment) stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^--.*/)) return "comment";
    if (stream.match(/^'(?:[^']|'')*'?/)) return "string";
    if (stream.match(/^"[^"]*"?/)) return "variableName";
    if (stream.match(/^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/)) return "number";
    const word = stream.match(/^[A-Za-z_$][\w$]*/);
    if (word && word !== true) {
      if (keywords.has(word[0].toLowerCase())) return "keyword";
      return stream.match(/^\s*\(/, false) ? "variableName.function" : "variableName";
    }
    stream.next();
    return null;
  },
  languageData: {
    commentTokens: { line: "--", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", "'", '"'] },
  },
});
