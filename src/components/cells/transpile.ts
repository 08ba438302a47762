import { checkAssignments } from "@observablehq/framework/dist/javascript/assignments.js";
import { findAwaits } from "@observablehq/framework/dist/javascript/awaits.js";
import { findDeclarations } from "@observablehq/framework/dist/javascript/declarations.js";
import { findReferences } from "@observablehq/framework/dist/javascript/references.js";
import {
  type Expression,
  type ImportDeclaration,
  type Node,
  Parser,
  type Program,
  parseExpressionAt,
  tokTypes,
} from "acorn";
import { simple } from "acorn-walk";
import { expressionStarts } from "../editor/inExpression.js";
import { CellError, positionAt } from "./cellError.js";
import { markdownCell } from "./markdownCell.js";
import type { CellLanguage } from "./pageEdits.js";

/** A cell as a runtime definition, with its body as text. */
export interface TranspiledCell {
  /** The parameters of the body, in order. */
  inputs: string[];
  /** The names that the cell declares. */
  outputs: string[];
  /** The source of a function, with the line numbers of the cell. */
  body: string;
  /** The number of characters of the body before the source, on its first line. */
  indent: number;
  /** Whether the last of several statements is an expression, the value of which is not displayed. */
  hidesLastValue?: boolean;
}

/** The name of `importModule` in a cell's body. */
export const importName = "importModule";

/** Framework's options for parsing cells. */
export const parserOptions = { ecmaVersion: 13, sourceType: "module" } as const;

/**
 * Returns a cell's source as a function of the names that it refers to, by Framework's rules.
 * @param stripTypes converts TypeScript to JavaScript and keeps line numbers
 * @throws CellError if it cannot be parsed
 */
export async function transpileCell(
  source: string,
  language: CellLanguage,
  stripTypes: (source: string) => Promise<string>,
): Promise<TranspiledCell> {
  try {
    if (language === "md") return transpileScript(await markdownCell(source));
    return transpileScript(language === "ts" ? await stripTypes(source) : source);
  } catch (error) {
    // Lines of a Markdown cell's script differ from those of its source.
    throw parserError((language === "md" && errorInMarkdown(source)) || (error as Error));
  }
}

/**
 * Returns a JavaScript cell as a function of the names that it refers to.
 * @throws the parser's own errors
 */
export function transpileScript(source: string): TranspiledCell {
  const expression = asExpression(source);
  const body: Node = expression ?? Parser.parse(source, parserOptions);
  const references = findReferences(body);
  checkAssignments(body, references, source);
  const namesOf = (nodes: { name: string }[]) => [...new Set(nodes.map(({ name }) => name))];
  const outputs = expression ? [] : namesOf(findDeclarations(body as Program, source));
  const inputs = namesOf(references);
  const { text, hasImports } = withDynamicImports(source, body);
  if (text !== source) inputs.push(importName);
  if (expression) {
    // An expression that calls display is not displayed twice.
    const isShown = !inputs.includes("display") && !inputs.includes("view");
    if (isShown) inputs.push("display");
    const start = `async (${inputs}) => { ${isShown ? "display(" : ""}await (`;
    return { inputs, outputs, body: `${start}${text}\n)${isShown ? ")" : ""} }`, indent: start.length };
  }
  const isAsync = hasImports || findAwaits(body).length > 0;
  const end = outputs.length > 0 ? `\nreturn {${outputs}};` : "";
  const hidesLastValue = !inputs.includes("display") && !inputs.includes("view") && endsInExpression(body as Program);
  const start = `${isAsync ? "async " : ""}(${inputs}) => { `;
  return { inputs, outputs, body: `${start}${text}${end}\n}`, indent: start.length, hidesLastValue };
}

/** Returns whether a cell ends in an expression without an obvious side effect. */
function endsInExpression({ body }: Program): boolean {
  const last = body.at(-1);
  if (last?.type !== "ExpressionStatement") return false;
  return !/^(Assignment|Update|Yield)Expression$/.test(last.expression.type);
}

/** Acorn's parser with the methods that its plugins use. */
const ExpressionParser = Parser as unknown as new (
  ...of: [typeof parserOptions, string, number]
) => { nextToken(): void; parseExpression(): Expression & { id?: unknown }; type: unknown };

/** Returns the expression of a cell that consists of one, which Framework displays. */
export function asExpression(source: string): Expression | undefined {
  try {
    const parser = new ExpressionParser(parserOptions, source, 0);
    parser.nextToken();
    const node = parser.parseExpression();
    const isNamed = (node.type === "ClassExpression" || node.type === "FunctionExpression") && node.id;
    return parser.type === tokTypes.eof && !isNamed ? node : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces imports by awaited calls of `importName` on the same lines. */
function withDynamicImports(source: string, body: Node): { text: string; hasImports: boolean } {
  const changes: { start: number; end: number; text: string }[] = [];
  let hasImports = false;
  const rejectExport = ({ start }: Node): never => {
    throw new CellError("A cell cannot export: other cells can use what it declares.", positionAt(source, start));
  };
  simple(body, {
    ImportDeclaration(node) {
      hasImports = true;
      const lines = "\n".repeat(source.slice(node.start, node.end).split("\n").length - 1);
      const text = `const ${names(node)} = await ${importName}(${node.source.raw});${lines}`;
      changes.push({ start: node.start, end: node.end, text });
    },
    ImportExpression({ start }) {
      changes.push({ start, end: start + "import".length, text: importName });
    },
    ExportNamedDeclaration: rejectExport,
    ExportDefaultDeclaration: rejectExport,
    ExportAllDeclaration: rejectExport,
  });
  let text = source;
  for (const change of changes.sort((a, b) => b.start - a.start)) {
    text = text.slice(0, change.start) + change.text + text.slice(change.end);
  }
  return { text, hasImports };
}

function names({ specifiers }: ImportDeclaration): string {
  const [first] = specifiers;
  if (first?.type === "ImportNamespaceSpecifier") return first.local.name;
  const text = (node: { type: string; name?: string; value?: unknown }) =>
    node.type === "Identifier" ? node.name! : JSON.stringify(node.value);
  const list = specifiers.map((specifier) =>
    specifier.type === "ImportSpecifier"
      ? `${text(specifier.imported as never)}: ${specifier.local.name}`
      : `default: ${specifier.local.name}`,
  );
  return `{${list.join(", ")}}`;
}

/** Returns the parser's first error in an expression of Markdown. */
function errorInMarkdown(source: string): Error | undefined {
  for (const start of expressionStarts(source)) {
    try {
      const { end } = parseExpressionAt(source, start, parserOptions);
      const next = source.slice(end).search(/\S/) + end;
      if (source[next] !== "}") return new CellError("Unexpected token.", positionAt(source, next));
    } catch (error) {
      return error as Error;
    }
  }
  return undefined;
}

/** Returns a parser's error with the position at the end of its message: (line:column), with columns from 0. */
function parserError(error: Error): CellError {
  if (error instanceof CellError) return error;
  const [match, line, column] = /\s*\((\d+):(\d+)\)/.exec(error.message) ?? [];
  const message = error.message.replace(match ?? "", "").replace(/^Error transforming undefined: |\.?$/g, "");
  return new CellError(`${message}.`, match ? { line: Number(line), column: Number(column) + 1 } : undefined);
}
