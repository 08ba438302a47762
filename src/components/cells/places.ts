import { findDeclarations } from "@observablehq/framework/dist/javascript/declarations.js";
import { findReferences } from "@observablehq/framework/dist/javascript/references.js";
import { type Node, Parser, type Program, parseExpressionAt } from "acorn";
import { simple } from "acorn-walk";
import { expressionStarts } from "../editor/inExpression.js";
import { type Position, positionAt } from "./cellError.js";
import type { CellLanguage } from "./pageEdits.js";
import { asExpression, parserOptions } from "./transpile.js";

/** A place where a cell refers to a name of another cell, or declares one. */
export interface Place extends Position {
  name: string;
  from: number;
  /** Whether it is a property too, as in `{name}`. */
  isShorthand: boolean;
}

/**
 * Returns the places of names in a cell's source, in order; none if it cannot be parsed.
 * @param stripTypes converts TypeScript to JavaScript and keeps line numbers
 */
export async function placesOf(
  source: string,
  language: CellLanguage,
  stripTypes: (source: string) => Promise<string>,
): Promise<Place[]> {
  try {
    if (language === "md") return placesInMarkdown(source);
    if (language === "js") return placesInScript(source);
    return placesInTypeScript(source, await stripTypes(source));
  } catch {
    return [];
  }
}

function placesInScript(source: string): Place[] {
  const expression = asExpression(source);
  const body: Node = expression ?? Parser.parse(source, parserOptions);
  const declarations = expression ? [] : findDeclarations(body as Program, source);
  return placesOfNodes(source, body, [...findReferences(body), ...declarations] as Named[]);
}

function placesInMarkdown(source: string): Place[] {
  return expressionStarts(source).flatMap((start) => {
    const node = parseExpressionAt(source, start, parserOptions);
    return placesOfNodes(source, node, findReferences(node) as Named[]);
  });
}

/** Types move what follows them on their line. A line with a name in a type and in code is left out. */
function placesInTypeScript(source: string, script: string): Place[] {
  const lines = source.split("\n");
  const scriptLines = script.split("\n");
  const starts = lines.map((_, index) => lines.slice(0, index).join("\n").length + (index > 0 ? 1 : 0));
  return placesInScript(script).flatMap((place) => {
    const columns = (text = "") => [...text.matchAll(wordPattern(place.name))].map(({ index }) => index + 1);
    const [before, after] = [scriptLines, lines].map((all) => columns(all[place.line - 1]));
    const column = after[before.indexOf(place.column)];
    if (before.length !== after.length || column === undefined) return [];
    return [{ ...place, column, from: starts[place.line - 1] + column - 1 }];
  });
}

type Named = Node & { name: string };

function placesOfNodes(source: string, body: Node, nodes: Named[]): Place[] {
  const shorthands = new Set<number>();
  simple(body, {
    Property: ({ shorthand, start }) => void (shorthand && shorthands.add(start)),
  });
  return nodes
    .map(({ name, start }) => ({ name, from: start, ...positionAt(source, start), isShorthand: shorthands.has(start) }))
    .sort((a, b) => a.from - b.from);
}

/** Returns the source with a name replaced at its places. */
export function renameAt(source: string, places: readonly Place[], from: string, to: string): string {
  let text = source;
  for (const { name, from: at, isShorthand } of [...places].reverse()) {
    if (name === from) text = text.slice(0, at) + (isShorthand ? `${from}: ${to}` : to) + text.slice(at + from.length);
  }
  return text;
}

function wordPattern(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`, "g");
}
