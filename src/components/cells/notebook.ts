import { define } from "observablehq:client";
import { Inspector } from "observablehq:runtime";
import { Generators } from "observablehq:stdlib";
import { nearestName } from "../../engine/nearestName.js";
import { stripTypes } from "../../host/browser/stripTypes.js";
import { isTable } from "../tables/columnsOf.js";
import { CellError } from "./cellError.js";
import { bodyNumberOf, type CellBody, compileCell, toCellError } from "./compile.js";
import { importModule, libraryNames } from "./importModule.js";
import type { CellLanguage } from "./pageEdits.js";
import type { Place } from "./places.js";
import type { TranspiledCell } from "./transpile.js";

// Framework has no public interface to a page's runtime. Only this file depends on its internals.

/** The parts of a variable of Observable's runtime that are used here. */
interface Variable {
  define(name: string | null, inputs: string[], body: (...values: unknown[]) => unknown): void;
  delete(): void;
  readonly _module: Module;
  readonly _name: string | null;
  readonly _value: unknown;
  readonly _inputs: readonly Variable[];
  /** 2 if it is referred to but not defined. */
  readonly _type: number;
  readonly _observer: { _node?: Element } | symbol;
}

interface Observer {
  fulfilled?(value: unknown): void;
  rejected?(error: unknown): void;
}

interface Module {
  variable(observer?: Observer | true): Variable;
  readonly _scope: ReadonlyMap<string, Variable>;
  readonly _runtime: { readonly _variables: Iterable<Variable>; readonly _updates: Set<Variable>; _compute(): void };
}

/** Libraries that the page or its cells load. A cell may import another module under the same name. */
const libraries = new WeakSet<Variable>();

/** Listeners for errors that a body throws after it has returned, as in a timer, by the body's number. */
const listeners = new Map<number, (error: unknown) => void>();

function reportLateError(error: unknown): void {
  listeners.get(bodyNumberOf(error) ?? 0)?.(error);
}

addEventListener("error", ({ error }) => reportLateError(error));
addEventListener("unhandledrejection", ({ reason }) => reportLateError(reason));

/** Called with an error that occurs after a cell had a value, and with undefined once it has one again. */
type LateListener = (error: CellError | undefined) => void;

/** The page's cells in Observable's runtime. */
export class Notebook {
  private constructor(readonly module: Module) {
    for (const name of Object.keys(libraryNames)) {
      if (isDefined(module, name)) libraries.add(module._scope.get(name)!);
    }
  }

  /** @param block that of any cell of this page */
  static open(block: Element): Promise<Notebook> {
    return new Promise((resolve) => {
      const body = ({ _module }: Variable) => resolve(new Notebook(_module));
      define({ id: cellId(block), inputs: ["@variable"], body });
    });
  }

  /** Returns the names that a cell can use: those of the page's cells and of the libraries. */
  names(): string[] {
    const own = this.values().keys();
    return [...new Set([...own, ...Object.keys(libraryNames), "display", "view", "FileAttachment", "Generators"])];
  }

  /** Returns the current values of the page's cells by name; undefined where there is none yet. */
  values(): Map<string, unknown> {
    const isOwn = (name: string) => /^[\w$]+$/.test(name) && !Object.hasOwn(libraryNames, name);
    const own = [...this.module._scope].filter(([name]) => isOwn(name) && isDefined(this.module, name));
    return new Map(own.map(([name, { _value }]) => [name, _value]));
  }

  /**
   * Runs the definitions of cells again, and then everything that depends on them.
   * @param kept the block of a cell that does not run; neither do those that it depends on
   */
  rerun(cells: Iterable<RuntimeCell>, kept: Element): void {
    const needed = new Set<Variable>(this.originals(kept));
    for (const { _inputs } of needed) for (const input of _inputs) needed.add(input);
    const { _runtime } = this.module;
    for (const { variables } of cells) {
      if (variables.some((variable) => needed.has(variable))) continue;
      for (const variable of variables) _runtime._updates.add(variable);
    }
    _runtime._compute();
  }

  /** Returns the variables of Framework's definition of a block's cell. */
  originals(block: Element): Variable[] {
    return [...this.module._runtime._variables].filter(
      ({ _observer }) => typeof _observer === "object" && _observer._node && block.contains(_observer._node),
    );
  }
}

let definitions = 0;

/** A cell with a definition that can be replaced while the page runs. */
export class RuntimeCell {
  readonly #notebook: Notebook;
  readonly #module: Module;
  readonly #block: Element;
  /** The names that the definition in use declares. */
  outputs: readonly string[];
  variables: readonly Variable[];
  #trial: Variable | undefined;
  #attempts = 0;
  /** The number of the body in use. */
  #number = 0;

  /** @param block that of a cell of the page, or an empty one that the reader added */
  constructor(notebook: Notebook, block: Element) {
    this.#notebook = notebook;
    this.#module = notebook.module;
    this.#block = block;
    const originals = notebook.originals(block);
    const isOutput = ({ _inputs: [input, ...others] }: Variable) =>
      input?._name === `cell ${cellId(block)}` && others.length === 0;
    const outputs = originals[0]?._name ? [...this.#module._scope.values()].filter(isOutput) : [];
    this.variables = [...originals, ...outputs];
    this.outputs = outputs.map(({ _name }) => _name!);
  }

  /**
   * Replaces the definition once a source has a value. Until then, and if it fails, the current definition keeps its
   * value and its output. If there is no current one, a failed source stays defined and may have a value later.
   * @returns the transpiled source
   * @throws CellError with the line, if the source cannot be parsed or fails
   */
  async replace(
    source: string,
    language: CellLanguage,
    onLateError: LateListener,
    isRetry = false,
  ): Promise<TranspiledCell> {
    const attempt = ++this.#attempts;
    // The parsers are large, and most readers edit no cell.
    const [{ transpileCell }, { placesOf }] = await Promise.all([import("./transpile.js"), import("./places.js")]);
    const transpiled = await transpileCell(source, language, stripTypes);
    const places = await placesOf(source, language, stripTypes);
    const { body, number } = await compileCell(transpiled);
    const { inputs, run, showIn } = await definitionOf(transpiled.inputs, body);
    if (attempt !== this.#attempts) throw new CellError("A newer version of this cell runs instead.");
    this.#checkNames(transpiled, places);
    this.#trial?.delete();
    this.#offerLibraries(transpiled.inputs);
    // Lines of the body of a Markdown cell differ from those of its source.
    const numberInStack = language === "md" ? 0 : number;
    const asError = (error: unknown) =>
      this.#explain(error, toCellError(error, numberInStack, transpiled.indent), places);
    const reportLater = (error: unknown) => onLateError(asError(error));
    return new Promise<TranspiledCell>((resolve, reject) => {
      let isTried = false;
      let hasFailed = false;
      const trial = this.#module.variable({
        fulfilled: () => {
          if (isTried) return onLateError(undefined);
          if (this.#trial !== trial) return;
          try {
            // Another cell may have taken a name in the meantime.
            this.#checkNames(transpiled, places);
          } catch (error) {
            return hasFailed ? reportLater(error) : failed(error);
          }
          if (hasFailed) onLateError(undefined);
          this.#trial = undefined;
          isTried = true;
          showIn(this.#block);
          this.#adopt(trial, transpiled.outputs, reportLater);
          listeners.delete(this.#number);
          listeners.set(number, reportLater);
          this.#number = number;
          resolve(transpiled);
        },
        rejected: (error) => (isTried || hasFailed ? reportLater(error) : failed(error)),
      });
      const failed = (error: unknown) => {
        hasFailed = this.#trial === trial && this.variables.length === 0;
        if (!hasFailed) {
          if (this.#trial === trial) this.#trial = undefined;
          trial.delete();
        }
        const missing = missingName(error);
        // The missing name may have been defined since.
        if (missing && !isRetry && attempt === this.#attempts && isDefined(this.#module, missing)) {
          resolve(this.replace(source, language, onLateError, true));
        } else reject(asError(error));
      };
      this.#trial = trial;
      trial.define(`cell ${++definitions}`, inputs, run);
    });
  }

  /** Removes the cell from the page. */
  delete(): void {
    this.#attempts++;
    this.#trial?.delete();
    for (const variable of this.variables) variable.delete();
    listeners.delete(this.#number);
    this.#offerLibraries(this.outputs);
  }

  /** @throws CellError if the names of a source clash with other cells or make a cycle */
  #checkNames({ inputs, outputs }: TranspiledCell, places: readonly Place[]): void {
    const { _scope } = this.#module;
    const errorAt = (name: string, sentence: string) => new CellError(sentence, placeOf(name, places));
    const foreign = outputs.find((name) => isDefined(this.#module, name) && !this.outputs.includes(name));
    if (foreign && !libraries.has(_scope.get(foreign)!)) {
      throw errorAt(foreign, `Another cell of this page already declares ${foreign}.`);
    }
    const needsThis = ({ _module, _name, _inputs }: Variable, seen: Set<Variable>): boolean =>
      (_module === this.#module && outputs.includes(_name!)) ||
      _inputs.some((input) => !seen.has(input) && needsThis(input, seen.add(input)));
    const circular = inputs.find((name) => _scope.has(name) && needsThis(_scope.get(name)!, new Set()));
    if (circular) throw errorAt(circular, `This cell uses ${circular}, which depends on this cell.`);
  }

  /** Returns an error with the place of the name that it is about, and the name that was probably meant. */
  #explain(error: unknown, cellError: CellError, places: readonly Place[]): CellError {
    if (cellError.line) return cellError;
    const missing = placeOf(missingName(error), places);
    const meant = missing && nearestName(missing.name, this.#notebook.names());
    const place = missing ?? placeOf((error as { input?: string } | undefined)?.input, places);
    return new CellError(`${cellError.message}${meant ? ` Did you mean ${meant}?` : ""}`, place);
  }

  /** Replaces the previous definition by one that has a value. */
  #adopt(trial: Variable, outputs: string[], rejected: (error: unknown) => void): void {
    const previous = this.variables;
    const removed = this.outputs.filter((name) => !outputs.includes(name));
    for (const variable of previous) variable.delete();
    const exported = outputs.map((name) => {
      const library = this.#module._scope.get(name);
      if (library && libraries.has(library)) library.delete();
      // An error of the cell itself is reported by its own variable.
      const variable = this.#module.variable({
        rejected: (error) => (error as Error | undefined)?.name !== "RuntimeError" && rejected(error),
      });
      variable.define(name, [trial._name!], (values) => (values as Record<string, unknown>)[name]);
      return variable;
    });
    this.variables = [trial, ...exported];
    this.outputs = outputs;
    this.#offerLibraries(removed);
  }

  /** Defines the libraries that a cell uses; a built page has only those of its own cells. */
  #offerLibraries(inputs: readonly string[]): void {
    for (const name of inputs) {
      const load = Object.hasOwn(libraryNames, name) ? libraryNames[name] : undefined;
      if (!load || isDefined(this.#module, name)) continue;
      const library = this.#module.variable();
      library.define(name, [], load);
      libraries.add(library);
    }
  }
}

/**
 * Returns the inputs and the function of a definition with a compiled body. What it displays is invisible until it is
 * shown in a block.
 * @param names the parameters of the body
 */
async function definitionOf(names: string[], body: CellBody) {
  const [{ importName }, { fillMarkdown, fillName }, { table }] = await Promise.all([
    import("./transpile.js"),
    import("./markdownCell.js"),
    import("../tables/table.js"),
  ]);
  const nodeOf = (value: unknown) => (isTable(value) ? table(value as never) : inspectorNode(value));
  let container: Element | DocumentFragment = document.createDocumentFragment();
  let evaluations = 0;
  const scopeOf = (evaluation: number) => {
    let isFirst = true;
    /** The first call clears the output of the previous evaluation. */
    const display = (value: unknown) => {
      if (evaluation !== evaluations) throw new Error("This cell has run again since.");
      if (isFirst) clear(container);
      isFirst = false;
      const node = value instanceof Node ? value : nodeOf(value);
      if (container instanceof Element) rootOf(container).before(node);
      else container.append(node);
      return value;
    };
    const view = (element: Element) => Generators.input(display(element) as Element);
    return { display, view, [importName]: importModule, [fillName]: fillMarkdown };
  };
  const inputs = names.filter((name) => !Object.hasOwn(scopeOf(0), name));
  return {
    inputs,
    run(...values: unknown[]) {
      const given = Object.fromEntries(inputs.map((name, i) => [name, values[i]]));
      const scope: Record<string, unknown> = { ...given, ...scopeOf(++evaluations) };
      return body(...names.map((name) => scope[name]));
    },
    showIn(block: Element) {
      clear(block);
      rootOf(block).before(container);
      container = block;
    },
  };
}

function placeOf(wanted: string | undefined, places: readonly Place[]): Place | undefined {
  return places.find(({ name }) => name === wanted);
}

/** Returns the name that an error reports as undefined. */
function missingName(error: unknown): string | undefined {
  return /^(\S+) is not defined$/.exec(String((error as Error | undefined)?.message))?.[1];
}

function isDefined({ _scope }: Module, name: string): boolean {
  return _scope.has(name) && _scope.get(name)!._type !== 2;
}

/** Returns the id that Framework gives the cell of a block. */
export function cellId(block: Element): string {
  return rootOf(block).data.slice(1, -1);
}

/** Returns the comment before which Framework inserts a cell's output. */
function rootOf(block: Element): Comment {
  for (const node of block.childNodes) if (node.nodeType === Node.COMMENT_NODE) return node as Comment;
  throw new Error("This block has no cell.");
}

function clear(target: Element | DocumentFragment): void {
  for (const node of [...target.childNodes]) if (node.nodeType !== Node.COMMENT_NODE) node.remove();
}

function inspectorNode(value: unknown): HTMLElement {
  const node = document.createElement("div");
  new Inspector(node).fulfilled(value);
  return node;
}
