import assert from "node:assert/strict";
import { completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, historyKeymap } from "@codemirror/commands";
import { searchKeymap } from "@codemirror/search";
import { it } from "vitest";
import { commandOf, keyNames, shortcuts } from "../../../src/components/cells/shortcuts.js";

const press = (
  key: string,
  modifiers: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

it("a key has one command, which depends on where the focus is", () => {
  assert.equal(commandOf(press("Enter", { shiftKey: true }), "text"), "runAndGo");
  for (const modifier of ["ctrlKey", "metaKey"]) {
    assert.equal(commandOf(press("Enter", { [modifier]: true }), "text"), "run");
    assert.equal(commandOf(press("s", { [modifier]: true }), "button"), "save");
  }
  assert.equal(commandOf(press("Enter"), "cell"), "edit");
  for (const key of ["Enter", "a", "b", "ArrowDown"]) {
    assert.equal(commandOf(press(key), "text"), undefined, `${key} types`);
    assert.equal(commandOf(press(key), "button"), undefined, `${key} is the button's`);
  }
  const uses = shortcuts.flatMap(({ key, focus }) => focus.map((name) => `${key} ${name}`));
  assert.equal(new Set(uses).size, uses.length);
});

it("the listed keys without a command are CodeMirror's", () => {
  const bound = [...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap].map(({ key }) => key);
  const listed = shortcuts.filter(({ command }) => !command).map(({ key }) => key);
  assert.ok(listed.includes("Mod-f"));
  assert.deepEqual(
    listed.filter((key) => !bound.includes(key)),
    [],
  );
});

it("the list names keys as the reader's keyboard does", () => {
  assert.deepEqual(keyNames("Mod-Enter", false), ["Ctrl", "Enter"]);
  assert.deepEqual(keyNames("Mod-s", true), ["⌘", "S"]);
  assert.deepEqual(keyNames("ArrowUp", false), ["↑"]);
});
