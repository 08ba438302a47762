import { findDeclarations } from "@observablehq/framework/dist/javascript/declarations.js";
import { findReferences } from "@observablehq/framework/dist/javascript/references.js";
import { type Node, Parser, type Program, parseExpressionAt } from "acorn";
import { expressionStarts } from "../editor/inExpression.js";
import { type Position, positionAt } from "./cellError.js";
import type { CellLanguage } from "./pageEdits.js";
import { asExpression, parserOptions } from "./transpile.js";

/** A place where a cell refers to a name of another cell, or declares one. */
export interface Place extends Position {
  name: string;
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
  return placesOfNodes(source, [...findReferences(body), ...declarations]);
}

function placesInMarkdown(source: string): Place[] {
  return expressionStarts(source).flatMap((start) =>
    placesOfNodes(source, findReferences(parseExpressionAt(source, start, parserOptions))),
  );
}

/** Types move what follows them on their line. A line with a name in a type and in code is left out. */
function placesInTypeScript(source: string, script: string): Place[] {
  const lines = source.split("\n");
  const scriptLines = script.split("\n");
  return placesInScript(script).flatMap(({ name, line, column: columnInScript }) => {
    const columns = (text = "") => [...text.matchAll(wordPattern(name))].map(({ index }) => index + 1);
    const [before, after] = [scriptLines, lines].map((all) => columns(all[line - 1]));
    const column = after[before.indexOf(columnInScript)];
    return before.length !== after.length || column === undefined ? [] : [{ name, line, column }];
  });
}

function placesOfNodes(source: string, nodes: { name: string; start: number }[]): Place[] {
  return nodes.sort((a, b) => a.start - b.start).map(({ name, start }) => ({ name, ...positionAt(source, start) }));
}

function wordPattern(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`, "g");
}
