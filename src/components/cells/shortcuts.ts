import { html } from "htl";

/** Where the focus is: in the text of a cell, in a field of its editor, on the cell itself, or on one of its buttons. */
type Focus = "text" | "field" | "cell" | "button";

interface Shortcut {
  /** As CodeMirror writes keys; Mod is Ctrl, and Cmd on a Mac. */
  key: string;
  /** What it does, as the list says. */
  does: string;
  focus: readonly Focus[];
  /** Undefined for the editor's own keys. */
  command?: string;
}

const everywhere = ["text", "field", "cell", "button"] as const;

const table = [
  { key: "Shift-Enter", does: "Run the cell and go to the next", focus: ["text", "cell"], command: "runAndGo" },
  { key: "Mod-Enter", does: "Run the cell", focus: everywhere, command: "run" },
  { key: "Mod-Shift-Enter", does: "Run the cell and all below", focus: everywhere, command: "runBelow" },
  { key: "Mod-s", does: "Save edits and drafts in this browser", focus: everywhere, command: "save" },
  { key: "Escape", does: "Leave the editor for its cell", focus: ["text", "field", "button"], command: "leave" },
  { key: "Mod-f", does: "Search and replace", focus: ["text"] },
  { key: "Ctrl-Space", does: "Complete a name", focus: ["text"] },
  { key: "Mod-/", does: "Comment or uncomment lines", focus: ["text"] },
  { key: "Mod-z", does: "Undo", focus: ["text"] },
  { key: "Enter", does: "Edit the cell", focus: ["cell"], command: "edit" },
  { key: "ArrowUp", does: "Go to the previous cell", focus: ["cell"], command: "previous" },
  { key: "ArrowDown", does: "Go to the next cell", focus: ["cell"], command: "next" },
  { key: "a", does: "Insert a cell above", focus: ["cell"], command: "insertAbove" },
  { key: "b", does: "Insert a cell below", focus: ["cell"], command: "insertBelow" },
  { key: "Alt-ArrowUp", does: "Move a cell of yours up", focus: ["cell"], command: "moveUp" },
  { key: "Alt-ArrowDown", does: "Move a cell of yours down", focus: ["cell"], command: "moveDown" },
  { key: "Delete", does: "Delete the cell", focus: ["cell"], command: "remove" },
  { key: "o", does: "Fold or show the output", focus: ["cell"], command: "foldOutput" },
  {
    key: "Mod-z",
    does: "Undo the last insert, move, delete, restore or rename",
    focus: ["cell", "button"],
    command: "undo",
  },
  { key: "Mod-Shift-z", does: "Redo", focus: ["cell", "button"], command: "redo" },
] as const satisfies readonly Shortcut[];

/** The keys of cells: the list that readers see, and what cells obey. */
export const shortcuts: readonly Shortcut[] = table;

export type CellCommand = Extract<(typeof table)[number], { command: string }>["command"];

/** Returns the command of a key that was pressed in a cell. */
export function commandOf(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
  focus: Focus,
): CellCommand | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const modifiers = [(ctrlKey || metaKey) && "Mod", altKey && "Alt", shiftKey && "Shift"].filter(Boolean);
  const pressed = [...modifiers, key.length === 1 ? key.toLowerCase() : key].join("-");
  return shortcuts.find((shortcut) => shortcut.key === pressed && shortcut.focus.includes(focus))?.command as
    | CellCommand
    | undefined;
}

/** Returns the names of a shortcut's keys, such as "Ctrl", "Enter". */
export function keyNames(key: string, isMac: boolean): string[] {
  const symbols: Record<string, string> = {
    Mod: isMac ? "⌘" : "Ctrl",
    ArrowUp: "↑",
    ArrowDown: "↓",
    Alt: isMac ? "⌥" : "Alt",
  };
  return key.split("-").map((name) => symbols[name] ?? (name.length === 1 ? name.toUpperCase() : name));
}

/** Returns a list of the shortcuts, which opens. */
export function shortcutsPanel(): HTMLElement {
  const isMac = /mac|iphone|ipad/i.test(navigator.platform);
  const row = ({ key, does }: Shortcut) => {
    const keys = keyNames(key, isMac).map((name) => html`<kbd>${name}</kbd>`);
    return html`<div><dt>${keys}</dt><dd>${does}</dd></div>`;
  };
  const inText = shortcuts.filter(({ focus }) => focus.includes("text"));
  const onCell = shortcuts.filter(({ focus }) => !focus.includes("text"));
  return html`<details class="cell-names">
    <summary>Keyboard shortcuts</summary>
    <dl>${inText.map(row)}</dl>
    <p>On a cell, which has the focus after Escape:</p>
    <dl>${onCell.map(row)}</dl>
  </details>`;
}
