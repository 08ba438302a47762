import { checkAssignments } from "@observablehq/framework/dist/javascript/assignments.js";
import { findDeclarations } from "@observablehq/framework/dist/javascript/declarations.js";
import { findReferences } from "@observablehq/framework/dist/javascript/references.js";
import { type Expression, type ImportDeclaration, type Node, Parser, type Program, tokTypes } from "acorn";

/** An error of a cell, with its line and column in the source, counted from 1, if they are known. */
export class CellError extends Error {
  override name = "CellError";
  constructor(
    message: string,
    readonly line?: number,
    readonly column?: number,
  ) {
    super(message);
  }
}

/** A cell as a function, by Framework's rules. */
export interface TranspiledCell {
  /** The parameters of the body, in order. */
  inputs: string[];
  /** The names that the cell declares. */
  outputs: string[];
  /** The source of a function, with the line numbers of the cell. */
  body: string;
  /** The number of characters of the body before the source, on its first line. */
  indent: number;
  /** Returns an error at the first place of a name. */
  errorAt(name: string, sentence: string): CellError;
}

/** The name of `importModule` in a cell's body. */
export const importName = "importModule";

const options = { ecmaVersion: 13, sourceType: "module" } as const;

/**
 * Returns a JavaScript cell as a function of the names that it refers to.
 * @throws CellError if it cannot be parsed
 */
export function transpile(source: string): TranspiledCell {
  try {
    return transpileParsed(source);
  } catch (error) {
    throw parserError(error as Error);
  }
}

function transpileParsed(source: string): TranspiledCell {
  const expression = asExpression(source);
  const body: Node = expression ?? Parser.parse(source, options);
  const references = findReferences(body);
  checkAssignments(body, references, source);
  const declarations = expression ? [] : findDeclarations(body as Program, source);
  const namesOf = (nodes: { name: string }[]) => [...new Set(nodes.map(({ name }) => name))];
  const [inputs, outputs] = [namesOf(references), namesOf(declarations)];
  const text = withDynamicImports(source, expression ? [] : (body as Program).body);
  if (text !== source) inputs.push(importName);
  const isShown = expression && !inputs.includes("display") && !inputs.includes("view");
  if (isShown) inputs.push("display");
  const start = `async (${inputs}) => { ${isShown ? "display(await (" : ""}`;
  const end = isShown ? "))" : outputs.length > 0 ? `return {${outputs}};` : "";
  const errorAt = (wanted: string, sentence: string) => {
    const at = [...references, ...declarations].find(({ name }) => name === wanted)!.start;
    const lines = source.slice(0, at).split("\n");
    return new CellError(sentence, lines.length, lines.at(-1)!.length + 1);
  };
  return { inputs, outputs, body: `${start}${text}\n${end}}`, indent: start.length, errorAt };
}

/** Acorn's parser with the methods that its plugins use. */
const ExpressionParser = Parser as unknown as new (
  ...of: [typeof options, string, number]
) => { nextToken(): void; parseExpression(): Expression & { id?: unknown }; type: unknown };

/** Returns the expression of a cell that consists of one, which Framework displays. */
function asExpression(source: string): Expression | undefined {
  try {
    const parser = new ExpressionParser(options, source, 0);
    parser.nextToken();
    const node = parser.parseExpression();
    const isNamed = /^(Class|Function)Expression$/.test(node.type) && node.id;
    return parser.type === tokTypes.eof && !isNamed ? node : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces imports by awaited calls of `importName` on the same lines. */
function withDynamicImports(source: string, statements: Program["body"]): string {
  let text = source;
  for (const node of [...statements].reverse()) {
    const { type, start, end } = node;
    if (type.startsWith("Export")) {
      const line = source.slice(0, start).split("\n").length;
      throw new CellError("A cell cannot export: other cells can use what it declares.", line);
    }
    if (type !== "ImportDeclaration") continue;
    const lines = "\n".repeat(source.slice(start, end).split("\n").length - 1);
    const call = `const ${importedNames(node)} = await ${importName}(${node.source.raw});${lines}`;
    text = text.slice(0, start) + call + text.slice(end);
  }
  return text;
}

function importedNames({ specifiers }: ImportDeclaration): string {
  const names = specifiers.map((specifier) => {
    if (specifier.type === "ImportNamespaceSpecifier") return specifier.local.name;
    const isDefault = specifier.type === "ImportDefaultSpecifier";
    return `${isDefault ? "default" : (specifier.imported as { name: string }).name}: ${specifier.local.name}`;
  });
  return specifiers[0]?.type === "ImportNamespaceSpecifier" ? names[0] : `{${names.join(", ")}}`;
}

/** Returns a parser's error with the position at the end of its message: (line:column), with columns from 0. */
function parserError(error: Error): CellError {
  if (error instanceof CellError) return error;
  const [match = "", line, column] = /\s*\((\d+):(\d+)\)/.exec(error.message) ?? [];
  const message = error.message.replace(match, "").replace(/^Error transforming undefined: |\.?$/g, "");
  return new CellError(`${message}.`, match ? Number(line) : undefined, match ? Number(column) + 1 : undefined);
}
