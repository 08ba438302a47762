import { checkAssignments } from "@observablehq/framework/dist/javascript/assignments.js";
import { findDeclarations } from "@observablehq/framework/dist/javascript/declarations.js";
import { findReferences } from "@observablehq/framework/dist/javascript/references.js";
import { getLineInfo, parse } from "acorn";
import { importUrl } from "./importUrl.js";
import { stripTypes } from "./stripTypes.js";

/** An error of a cell, with its line and column in the source, counted from 1, if they are known. */
export type CellError = Error & { line?: number | undefined; column?: number | undefined };

export type CompiledCell = Awaited<ReturnType<typeof compile>>;

const cellError = (message: string, line?: number, column?: number): CellError =>
  Object.assign(new Error(message), { line, column });

let count = 0;

/**
 * Compiles a cell, in TypeScript if it is no JavaScript. Its code is loaded as a module, since the site's policy forbids
 * `eval`.
 * @throws CellError if it cannot be parsed
 */
export async function compile(source: string) {
  const { module, ...cell } = await transpile(source, importUrl).catch(async (error) => {
    const code = await stripTypes(source).catch(() => Promise.reject(error));
    return transpile(code, importUrl);
  });
  const name = `splatbook-cell-${++count}.js`;
  const url = URL.createObjectURL(new Blob([`${module}\n//# sourceURL=${name}`], { type: "text/javascript" }));
  /** Returns an error as a sentence, with its place in the source if its stack shows it. */
  const explain = (error: unknown) => {
    const { name: kind, message, stack } = error instanceof Error ? error : new Error(String(error));
    const sentence = `${/^(Runtime)?Error$/.test(kind) ? "" : `${kind}: `}${message.replace(/\.?$/, ".")}`;
    const [, line, column] = new RegExp(`${name}:(\\d+):(\\d+)`).exec(String(stack))?.map(Number) ?? [];
    return cellError(sentence, line - 1 || undefined, column);
  };
  try {
    const { default: call }: { default: (values: Record<string, unknown>) => unknown } = await import(url);
    return { ...cell, call, explain };
  } catch (error) {
    throw explain(error);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/**
 * Returns a cell by Framework's rules: a module that exports a function of values by name, whose second line is the first
 * of the source, with the names that it refers to and those that it declares.
 * @param urlOf returns the address of an imported module
 * @throws CellError if it cannot be parsed
 */
export async function transpile(source: string, urlOf: (specifier: string) => Promise<string>) {
  try {
    const program = parse(source, { ecmaVersion: 13, sourceType: "module", preserveParens: true });
    const references = findReferences(program);
    checkAssignments(program, references, source);
    const declarations = findDeclarations(program, source);
    const namesOf = (nodes: { name: string }[]) => [...new Set(nodes.map(({ name }) => name))];
    const [inputs, outputs] = [namesOf(references), namesOf(declarations)];
    let imports = "";
    let statements = source;
    for (const node of program.body) {
      if (node.type !== "ImportDeclaration") continue;
      const { start, end } = node;
      const names = source.slice(start, node.source.start).replaceAll("\n", " ");
      imports += `${names}${JSON.stringify(await urlOf(String(node.source.value)))}; `;
      statements = statements.slice(0, start) + source.slice(start, end).replace(/./g, " ") + statements.slice(end);
    }
    const [first, ...others] = program.body;
    // Without a semicolon, it is an expression, and its value is displayed.
    const isExpression = first?.type === "ExpressionStatement" && first.expression.end === first.end && !others.length;
    const isShown = isExpression && !inputs.includes("display") && !inputs.includes("view");
    if (isShown) inputs.push("display");
    const [before, after] = isShown ? ["display(await (", "))"] : ["", `return {${outputs}};`];
    const module = `${imports}export default async ({${inputs}}) => {${before}\n${statements}\n${after}}`;
    /** Returns an error at the first place of a name. */
    const errorOf = (wanted: string, sentence: string) => {
      const { start } = [...references, ...declarations].find(({ name }) => name === wanted)!;
      const { line, column } = getLineInfo(source, start);
      return cellError(sentence, line, column + 1);
    };
    return { inputs, outputs, module, errorOf };
  } catch (error) {
    // A parser's message ends with (line:column), with columns from 0.
    const [, sentence, line, column] = /^(.*) \((\d+):(\d+)\)$/.exec((error as Error).message) ?? [];
    throw sentence ? cellError(`${sentence}.`, Number(line), Number(column) + 1) : error;
  }
}
