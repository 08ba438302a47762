import { EditorView, highlightSpecialChars } from "@codemirror/view";
import { html } from "htl";

/**
 * Matches characters that are invisible or reorder text: controls, formats, unassigned code points, unusual spaces,
 * Unicode's Default_Ignorable_Code_Point, and blank symbols.
 */
const hiddenPattern =
  /(?![ \t\n\r])[\p{C}\p{Z}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{2800}\u{16fe4}\u{1d159}]/gu;

/** Returns every hidden character of a text, in the form `U+202E`. */
export function hiddenCharacters(text: string): string[] {
  return (text.match(hiddenPattern) ?? []).map((character) => codePointText(character.codePointAt(0)!));
}

function codePointText(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Shows the hidden characters of an editor as code points, and all text in source order. */
export const revealHidden = [
  highlightSpecialChars({
    specialChars: hiddenPattern,
    render: (codePoint, title) =>
      html`<span class="cm-hiddenCharacter" title=${title}>${codePointText(codePoint)}</span>`,
  }),
  EditorView.theme({
    "& .cm-line": { direction: "ltr", unicodeBidi: "bidi-override" },
    "& .cm-hiddenCharacter": {
      margin: "0 1px",
      padding: "0 2px",
      border: "1px solid",
      borderRadius: "3px",
      color: "var(--wrong, var(--theme-red))",
      fontSize: "0.85em",
    },
  }),
];
