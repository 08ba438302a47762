import {
  autocompletion,
  type Completion,
  type CompletionContext,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  selectedCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { markdown } from "@codemirror/lang-markdown";
import {
  bracketMatching,
  ensureSyntaxTree,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
  syntaxTree,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { diff, unifiedMergeView } from "@codemirror/merge";
import { search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState, type Extension, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { revealHidden } from "./hiddenCharacters.js";
import { isInExpression } from "./inExpression.js";
import { wgsl } from "./wgslLanguage.js";

type EditorLanguage = "wgsl" | "javascript" | "typescript" | "markdown" | "text";

interface EditorOptions {
  text: string;
  language: EditorLanguage;
  /** The accessible name. */
  label: string;
  onChange?: (text: string) => void;
  completions?: Completions;
  readOnly?: boolean;
  wrapsLines?: boolean;
  /** Whether characters that are invisible or reorder text are shown as code points. */
  showsHidden?: boolean;
}

/** What can be completed at a position. */
interface Completions {
  names(): Completion[];
  /** Returns the members after a path, such as `["run", "target"]`. */
  members(path: string[]): Completion[];
  /** Returns the names in a string. */
  quotedNames(): string[];
}

/** A compiler's message; lines and columns count from 1. */
interface EditorMessage {
  line: number;
  column: number;
  type: "error" | "warning" | "info";
  text: string;
}

/** A text editor. The Tab key indents; Escape and then Tab leaves. */
export interface Editor {
  readonly node: HTMLElement;
  /** Replaces the text without a call of onChange. The reader can undo it. */
  setText(text: string): void;
  /** Replaces the messages at the lines. */
  showMessages(messages: readonly EditorMessage[]): void;
  goTo(line: number, column?: number): void;
  reveal(line: number): void;
  /** Marks the differences from another text; undefined ends the comparison. */
  compareWith(original: string | undefined): void;
  focus(): void;
  closeCompletions(): void;
  wrapLines(wraps: boolean): void;
  destroy(): void;
}

const byProgram = Annotation.define<boolean>();

const languages: Record<EditorLanguage, () => Extension> = {
  wgsl: () => wgsl,
  javascript: () => javascript(),
  typescript: () => javascript({ typescript: true }),
  markdown: () => markdown({ completeHTMLTags: false }),
  text: () => [],
};

/** Returns a text editor with highlighting, brackets, undo, line numbers, completions and messages at lines. */
export function editor({
  text,
  language,
  label,
  onChange,
  completions,
  readOnly = false,
  wrapsLines = false,
  showsHidden = false,
}: EditorOptions): Editor {
  const comparison = new Compartment();
  const wrapping = new Compartment();
  const view = new EditorView({
    doc: text,
    extensions: [
      lineNumbers(),
      showsHidden ? revealHidden : highlightSpecialChars(),
      drawSelection(),
      bracketMatching(),
      languages[language](),
      syntaxHighlighting(highlighting),
      theme,
      EditorView.contentAttributes.of({
        "aria-label": label,
        tabindex: "0",
        ...(readOnly && { "aria-readonly": "true" }),
      }),
      // Scroll the editor alone; CodeMirror would scroll the page as well.
      EditorView.scrollHandler.of((view, { from }, { y }) => {
        if (y === "start") view.scrollDOM.scrollTop = view.lineBlockAt(from).top;
        return y === "start";
      }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged || update.transactions.some((change) => change.annotation(byProgram))) return;
        onChange?.(update.state.doc.toString());
      }),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap]),
      search({ top: true }),
      comparison.of([]),
      readOnly ? EditorState.readOnly.of(true) : editingExtensions(language),
      completions ? completion(language, completions) : [],
      wrapping.of(wrapsLines ? EditorView.lineWrapping : []),
    ],
  });
  return {
    node: view.dom,
    setText(next) {
      const current = view.state.doc.toString();
      if (next === current) return;
      // Replacing only what differs keeps the cursor and the scroll position.
      const changes = diff(current, next, { scanLimit: 500 }).map(({ fromA, toA, fromB, toB }) => ({
        from: fromA,
        to: toA,
        insert: next.slice(fromB, toB),
      }));
      view.dispatch({ changes, annotations: byProgram.of(true) });
    },
    showMessages(messages) {
      view.dispatch(
        setDiagnostics(
          view.state,
          messages.map((message) => toDiagnostic(view.state, message)),
        ),
      );
    },
    goTo(line, column = 1) {
      const anchor = positionOf(view.state, line, column);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    reveal(line) {
      const from = positionOf(view.state, line);
      view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "start", yMargin: 0 }) });
    },
    compareWith(original) {
      const extension = original === undefined ? [] : unifiedMergeView({ original, mergeControls: false });
      view.dispatch({ effects: comparison.reconfigure(extension) });
    },
    focus: () => view.focus(),
    closeCompletions: () => void closeCompletion(view),
    wrapLines(wraps) {
      view.dispatch({ effects: wrapping.reconfigure(wraps ? EditorView.lineWrapping : []) });
    },
    destroy: () => view.destroy(),
  };
}

function editingExtensions(language: EditorLanguage): Extension {
  return [
    history(),
    closeBrackets(),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    language === "text" ? [] : indentOnInput(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    lintGutter(),
    keymap.of([indentWithTab]),
  ];
}

/** Returns the completion of names: in code, and in the expressions of Markdown. */
export function completion(language: EditorLanguage, { names, members, quotedNames }: Completions): Extension {
  const validFor = /^[\w$]*$/;
  const complete = (context: CompletionContext) => {
    const { state, pos } = context;
    if (language === "markdown" && !isInExpression(state.doc.toString(), pos)) return null;
    // On a busy machine, the first parse may have stopped early.
    const { name } = (ensureSyntaxTree(state, pos, 1000) ?? syntaxTree(state)).resolveInner(pos, -1);
    if (/comment/i.test(name)) return null;
    const path = context.matchBefore(/(?<![\w$.])[\w$]+(?:\.[\w$]+)*\.[\w$]*/)?.text.split(".");
    const last = context.matchBefore(/[\w$]*/)!;
    const offer = (labels: (string | Completion)[], type: string) => ({
      from: last.from,
      options: labels.map((label) => (typeof label === "string" ? { label, type } : { type, ...label })),
      validFor,
    });
    const isQuoted = context.matchBefore(/["'`][\w$]*/) !== null;
    if (/^(Template)?String$/.test(name) && !isQuoted) return null;
    if (path && !isQuoted) return offer(members(path.slice(0, -1)), "property");
    if (isQuoted) return offer(quotedNames(), "text");
    if (!context.matchBefore(/(?<![\w$.])[\w$]+/) && !context.explicit) return null;
    return offer(names(), "variable");
  };
  return [
    Prec.highest(keymap.of([{ key: "Enter", run: closeIfTyped }])),
    autocompletion(),
    EditorState.languageData.of(() => [{ autocomplete: complete }]),
  ];
}

/** Closes the completions if the selected one is typed already: Enter then starts a line. */
function closeIfTyped(view: EditorView): boolean {
  const label = selectedCompletion(view.state)?.label ?? "";
  const { head } = view.state.selection.main;
  const isTyped = label !== "" && view.state.sliceDoc(head - label.length, head) === label;
  if (isTyped) closeCompletion(view);
  return false;
}

/** Returns the position of a line and column, both counted from 1, or the nearest one that exists. */
function positionOf({ doc }: EditorState, line: number, column = 1): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column, 1) - 1, to);
}

/** Returns a message as a diagnostic at its word. */
function toDiagnostic(state: EditorState, { line, column, type, text }: EditorMessage): Diagnostic {
  const from = positionOf(state, line, column);
  const word = /^(?:\w+|\S)/.exec(state.doc.sliceString(from, state.doc.lineAt(from).to))?.[0].length ?? 0;
  return { from, to: from + word, severity: type, message: text };
}

const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.modifier], color: "var(--syntax-keyword)" },
  { tag: [tags.number, tags.bool, tags.null, tags.attributeName], color: "var(--syntax-constant)" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: "var(--syntax-string)" },
  { tag: [tags.comment, tags.quote], color: "var(--syntax-comment)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--syntax-entity)" },
  { tag: [tags.typeName, tags.className], color: "var(--syntax-variable)" },
  { tag: [tags.meta, tags.link, tags.url], color: "var(--syntax-constant)" },
  { tag: tags.heading, color: "var(--syntax-markup-heading)", fontWeight: "bold" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strong, fontWeight: "bold" },
  { tag: tags.invalid, color: "var(--wrong, var(--theme-red))" },
]);

const theme = EditorView.theme({
  "&": {
    color: "var(--theme-foreground)",
    backgroundColor: "var(--theme-background)",
    border: "1px solid var(--theme-foreground-fainter)",
    borderRadius: "6px",
    fontSize: "13px",
    overflow: "hidden",
  },
  "&:focus-within": { outline: "2px solid var(--theme-foreground-focus)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--monospace)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--theme-foreground)", padding: "6px 0" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--theme-foreground)" },
  ".cm-gutters": {
    color: "var(--theme-foreground-muted)",
    backgroundColor: "var(--theme-background-alt)",
    borderRight: "1px solid var(--theme-foreground-faintest)",
  },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.2em" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--theme-foreground) 4%, transparent)" },
  ".cm-activeLineGutter": { color: "var(--theme-foreground)", backgroundColor: "transparent" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--theme-foreground-focus) 28%, transparent)",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "color-mix(in srgb, var(--theme-foreground-focus) 25%, transparent)",
  },
  "&.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "color-mix(in srgb, var(--wrong, var(--theme-red)) 25%, transparent)",
  },
  ".cm-tooltip": {
    color: "var(--theme-foreground)",
    backgroundColor: "var(--theme-background)",
    border: "1px solid var(--theme-foreground-fainter)",
    borderRadius: "4px",
  },
  "& .cm-changedLine": { backgroundColor: "color-mix(in srgb, var(--theme-green) 12%, transparent) !important" },
  "& .cm-changedText": { background: "color-mix(in srgb, var(--theme-green) 35%, transparent) !important" },
  "& .cm-deletedChunk": { backgroundColor: "color-mix(in srgb, var(--theme-red) 12%, transparent) !important" },
  "& .cm-deletedChunk .cm-deletedText": {
    background: "color-mix(in srgb, var(--theme-red) 30%, transparent) !important",
  },
  ".cm-panels": { color: "var(--theme-foreground)", backgroundColor: "var(--theme-background-alt)" },
  ".cm-panel.cm-search :is(input, button, label)": { font: "13px / 1.4 var(--sans-serif)" },
  ".cm-panel.cm-search :is(button[name], input[type=text], input:not([type]))": {
    height: "26px",
    border: "1px solid var(--theme-foreground-fainter)",
    borderRadius: "4px",
    color: "inherit",
    background: "var(--theme-background)",
  },
  ".cm-panel.cm-search button[name=close]": { border: "0", background: "none" },
  ".cm-diagnostic": { font: "13px / 1.4 var(--sans-serif)", maxWidth: "min(38rem, 80vw)", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--wrong, var(--theme-red))" },
});
