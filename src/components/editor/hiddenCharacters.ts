import { EditorView, highlightSpecialChars } from "@codemirror/view";
import { element } from "../page/element.js";

/**
 * Characters that cannot be seen, or that change the direction of text: controls, formats, unassigned code points, all
 * spaces but the common one, what fonts leave out (Unicode's Default_Ignorable_Code_Point), and signs that are blank.
 */
const hiddenPattern =
  /(?![ \t\n\r])[\p{C}\p{Z}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{2800}\u{16fe4}\u{1d159}]/gu;

/** Returns the hidden characters of a text, each as often as it is there, as `U+202E`. */
export function hiddenCharacters(text: string): string[] {
  return (text.match(hiddenPattern) ?? []).map((character) => codePointText(character.codePointAt(0)!));
}

function codePointText(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Shows every hidden character of an editor as its code point, and all characters in the order in which they run. */
export const revealHidden = [
  highlightSpecialChars({
    specialChars: hiddenPattern,
    render: (codePoint, title) => element("span", { class: "cm-hiddenCharacter", title }, codePointText(codePoint)),
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
