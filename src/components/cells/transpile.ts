import { checkAssignments } from "@observablehq/framework/dist/javascript/assignments.js";
import { findAwaits } from "@observablehq/framework/dist/javascript/awaits.js";
import { findDeclarations } from "@observablehq/framework/dist/javascript/declarations.js";
import { findReferences } from "@observablehq/framework/dist/javascript/references.js";
import { type Expression, type ImportDeclaration, type Node, Parser, type Program, tokTypes } from "acorn";
import { simple } from "acorn-walk";
import { CellError } from "./cellError.js";
import { markdownCell } from "./markdownCell.js";
import type { CellLanguage } from "./pageEdits.js";

/** A cell as the runtime wants it, its body still text. */
export interface TranspiledCell {
  /** Names that the body takes, in the order of its parameters. */
  inputs: string[];
  /** Names that it gives to other cells. */
  outputs: string[];
  /** The source of a function; its lines are those of the cell. */
  body: string;
  /** Whether it ends in an expression whose value nobody sees, since the cell has more than that. */
  hidesLastValue?: boolean;
}

/** The name by which a cell's body imports modules. */
export const importName = "importModule";

/** As Framework reads a page's cells. */
const options = { ecmaVersion: 13, sourceType: "module" } as const;

/**
 * Turns a cell's source into a function of the names that it refers to, by the rules by which Framework does.
 * @param stripTypes makes JavaScript of TypeScript and leaves each line where it was
 * @throws CellError if it cannot be understood
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
    const { message, line, column } = toCellError(error as Error);
    // The lines of Markdown are not those of its script.
    if (language === "md") throw new CellError(message.replace(/\.?$/, ", in one of its expressions."));
    throw new CellError(message, line, column);
  }
}

/** The same of a cell in JavaScript; what is thrown is the parser's own. */
export function transpileScript(source: string): TranspiledCell {
  const expression = asExpression(source);
  const body: Node = expression ?? Parser.parse(source, options);
  const references = findReferences(body);
  checkAssignments(body, references, source);
  const outputs = expression ? [] : unique(findDeclarations(body as Program, source).map(({ name }) => name));
  const inputs = unique(references.map(({ name }) => name));
  const { text, hasImports } = withDynamicImports(source, body);
  if (text !== source) inputs.push(importName);
  if (expression) {
    // One that displays of itself is not shown twice.
    const isShown = !inputs.includes("display") && !inputs.includes("view");
    if (isShown) inputs.push("display");
    const value = `await (${text}\n)`;
    return { inputs, outputs, body: `async (${inputs}) => { ${isShown ? `display(${value})` : value} }` };
  }
  const isAsync = hasImports || findAwaits(body).length > 0;
  const end = outputs.length > 0 ? `\nreturn {${outputs}};` : "";
  const hidesLastValue = !inputs.includes("display") && !inputs.includes("view") && endsInExpression(body as Program);
  return { inputs, outputs, body: `${isAsync ? "async " : ""}(${inputs}) => { ${text}${end}\n}`, hidesLastValue };
}

/** Whether a cell's last statement is an expression that is there for its value. */
function endsInExpression({ body }: Program): boolean {
  const last = body.at(-1);
  if (last?.type !== "ExpressionStatement") return false;
  return !/^(Assignment|Update|Yield)Expression$/.test(last.expression.type);
}

/** Acorn's parser, with the methods that its plugins use. */
const ExpressionParser = Parser as unknown as new (
  ...of: [typeof options, string, number]
) => { nextToken(): void; parseExpression(): Expression & { id?: unknown }; type: unknown };

/** A cell that is one expression shows its value. */
function asExpression(source: string): Expression | undefined {
  try {
    const parser = new ExpressionParser(options, source, 0);
    parser.nextToken();
    const node = parser.parseExpression();
    const isNamed = (node.type === "ClassExpression" || node.type === "FunctionExpression") && node.id;
    return parser.type === tokTypes.eof && !isNamed ? node : undefined;
  } catch {
    return undefined;
  }
}

/** Imports as awaited calls of `importName`, each on the lines on which it stood. */
function withDynamicImports(source: string, body: Node): { text: string; hasImports: boolean } {
  const changes: { start: number; end: number; text: string }[] = [];
  let hasImports = false;
  const rejectExport = ({ start }: Node): never => {
    const line = source.slice(0, start).split("\n").length;
    throw new CellError("A cell exports nothing: other cells can use what it declares.", line);
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

/** Parsers say the place at the end of their message, as (line:column), the column counted from 0. */
function toCellError(error: Error): CellError {
  if (error instanceof CellError) return error;
  const [match, line, column] = /\s*\((\d+):(\d+)\)/.exec(error.message) ?? [];
  const message = error.message.replace(match ?? "", "").replace(/^Error transforming undefined: |\.?$/g, "");
  return new CellError(`${message}.`, line ? Number(line) : undefined, column ? Number(column) + 1 : undefined);
}

function unique(list: string[]): string[] {
  return [...new Set(list)];
}
