import { indentWithTab } from "@codemirror/commands";
import { javascript, javascriptLanguage, scopeCompletionSource } from "@codemirror/lang-javascript";
import { syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { basicSetup } from "codemirror";
import { html } from "htl";
import type { ShaderMessage } from "../../engine/shaders.js";
import { highlighter } from "./highlight.js";
import { wgsl } from "./wgslLanguage.js";

interface EditorOptions {
  text: string;
  language: "wgsl" | "typescript";
  /** The accessible name. */
  label: string;
  onChange?: (text: string) => void;
  /** Called for Ctrl-Enter, Cmd-Enter and Shift-Enter. Returns that nothing else is done for them. */
  onRun?: () => true;
  /** Values by name, which the editor completes together with their members. */
  scope?: ReadonlyMap<string, unknown>;
  /** Whether the text can only be read. It then wraps, and invisible characters are shown as code points. */
  readOnly?: boolean;
}

/** A compiler's message; lines and columns count from 1. */
type EditorMessage = Omit<ShaderMessage, "file">;

export type Editor = ReturnType<typeof editor>;

/**
 * Matches characters that are invisible or reorder text: controls, formats, unassigned code points, unusual spaces,
 * Unicode's Default_Ignorable_Code_Point, and blank symbols.
 */
export const hiddenCharacters =
  /(?![ \t\n\r])[\p{C}\p{Z}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{2800}\u{16fe4}\u{1d159}]/gu;

/** Shows hidden characters as code points, and all text in source order. */
const readOnlyExtensions = [
  EditorState.readOnly.of(true),
  EditorView.lineWrapping,
  Prec.high(
    highlightSpecialChars({
      specialChars: hiddenCharacters,
      render: (code) => html`<span class="cm-hidden">U+${code.toString(16).toUpperCase().padStart(4, "0")}</span>`,
    }),
  ),
  EditorView.theme({ "& .cm-line": { direction: "ltr", unicodeBidi: "bidi-override" } }),
];

/**
 * Returns a text editor with highlighting, brackets, undo, search, line numbers, completions and messages at lines. The
 * Tab key indents; Escape and then Tab leaves.
 */
export function editor({ text: doc, language, label, onChange, onRun, scope, readOnly = false }: EditorOptions) {
  const comparison = new Compartment();
  const autocomplete = scope && scopeCompletionSource(Object.fromEntries(scope));
  const view = new EditorView({
    doc,
    extensions: [
      Prec.highest(keymap.of(["Mod-Enter", "Shift-Enter"].map((key) => ({ key, run: onRun })))),
      readOnly ? readOnlyExtensions : [lintGutter(), keymap.of([indentWithTab])],
      basicSetup,
      language === "wgsl" ? wgsl : javascript({ typescript: true }),
      autocomplete ? javascriptLanguage.data.of({ autocomplete }) : [],
      syntaxHighlighting(highlighter),
      theme,
      EditorView.darkTheme.of(matchMedia("(prefers-color-scheme: dark)").matches),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": String(readOnly), tabindex: "0" }),
      // Scroll the editor alone; CodeMirror would scroll the page as well.
      EditorView.scrollHandler.of((view, { from }, { y }) => {
        if (y === "start") view.scrollDOM.scrollTop = view.lineBlockAt(from).top;
        return y === "start";
      }),
      EditorView.updateListener.of(({ docChanged }) => docChanged && onChange?.(text())),
      comparison.of([]),
    ],
  });
  const text = () => view.state.doc.toString();
  const positionOf = (line: number, column = 1) => {
    const { from, to } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    return Math.min(from + Math.max(column, 1) - 1, to);
  };
  const toDiagnostic = ({ line, column, type, text }: EditorMessage) => {
    const from = positionOf(line, column);
    const { to } = view.state.wordAt(from) ?? { to: from };
    return { from, to, severity: type, message: text };
  };
  return {
    node: view.dom,
    text,
    /** Replaces the text. The reader can undo it. */
    setText(next: string) {
      // The text that the reader is typing keeps its cursor.
      if (next !== text()) view.dispatch({ changes: { from: 0, to: text().length, insert: next } });
    },
    /** Replaces the messages at the lines. */
    showMessages: (messages: readonly EditorMessage[]) =>
      view.dispatch(setDiagnostics(view.state, messages.map(toDiagnostic))),
    goTo(line: number, column?: number) {
      const anchor = positionOf(line, column);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    reveal: (line: number) =>
      view.dispatch({ effects: EditorView.scrollIntoView(positionOf(line), { y: "start", yMargin: 0 }) }),
    /** Marks the differences from another text; undefined ends the comparison. */
    compareWith(original: string | undefined) {
      const extension = original === undefined ? [] : unifiedMergeView({ original, mergeControls: false });
      view.dispatch({ effects: comparison.reconfigure(extension) });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

const quiet = { color: "var(--theme-foreground-muted)", backgroundColor: "var(--theme-background-alt)" };

const theme = EditorView.theme({
  "&": {
    color: "var(--theme-foreground)",
    backgroundColor: "var(--theme-background)",
    border: "1px solid var(--theme-foreground-fainter)",
    borderRadius: "6px",
    fontSize: "13px",
    overflow: "hidden",
  },
  "&:focus-within": { outline: "2px solid var(--theme-foreground-focus)" },
  ".cm-scroller": { fontFamily: "var(--monospace)", lineHeight: "1.5" },
  ".cm-gutters": { ...quiet, border: "0" },
  // Its own colour would leave comments too little contrast; the gutter marks the line.
  ".cm-activeLine": { backgroundColor: "transparent" },
  ".cm-tooltip, .cm-panels": { ...quiet, border: "1px solid var(--theme-foreground-fainter)" },
  ".cm-hidden": { border: "1px solid", borderRadius: "3px", color: "var(--wrong)" },
});
