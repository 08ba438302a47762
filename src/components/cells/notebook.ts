import { define } from "observablehq:client";
import { Inspector } from "observablehq:runtime";
import { Generators } from "observablehq:stdlib";
import { nearestName } from "../../engine/nearestName.js";
import type { CompiledCell } from "./compile.js";
import { importModule, libraries } from "./importModule.js";
import { clear, idOf, rootOf } from "./places.js";
import { importName } from "./transpile.js";

// Framework has no public interface to a page's runtime. Only this file depends on its internals.

/** The parts of a variable of Observable's runtime that are used here. */
interface Variable {
  define(name: string | null, inputs: string[], body: (...values: unknown[]) => unknown): void;
  delete(): void;
  readonly _module: Module;
  readonly _name: string | null;
  readonly _value: unknown;
  readonly _inputs: readonly Variable[];
  /** 1 if a cell defines it. */
  readonly _type: number;
  readonly _observer: { _node?: Element; rejected?(error: unknown): void };
}

interface Module {
  variable(observer?: Variable["_observer"] | true | { fulfilled(): void }): Variable;
  readonly _scope: ReadonlyMap<string, Variable>;
  readonly _builtins: ReadonlyMap<string, unknown>;
  readonly _runtime: { readonly _variables: Iterable<Variable>; readonly _builtin: Module };
}

/** The page's cells in Observable's runtime. */
export class Notebook {
  private constructor(readonly module: Module) {
    for (const { _observer } of module._runtime._variables) {
      const { _node, rejected } = _observer;
      if (!_node || !rejected) continue;
      _observer.rejected = (error) => {
        rejected(waiting(error) ?? error);
        const errors = _node.querySelectorAll(".observablehq--error");
        for (const node of errors) node.classList.toggle("is-waiting", /^Waits for/.test(node.textContent));
      };
    }
  }

  /** @param block that of any cell of this page */
  static open(block: Element): Promise<Notebook> {
    return new Promise((resolve) => {
      define({
        id: idOf(block),
        inputs: ["@variable"],
        body: ({ _module }: Variable) => resolve(new Notebook(_module)),
      });
    });
  }

  /** Returns the current values of the page's cells by name; undefined where there is none yet. */
  values(): Map<string, unknown> {
    const own = [...this.module._scope].filter(([name]) => /^[\w$]+$/.test(name) && this.#isDefined(name));
    return new Map(own.map(([name, { _value }]) => [name, _value]));
  }

  #isDefined(name: string): boolean {
    return this.module._scope.get(name)?._type === 1;
  }

  /** Returns the variables of a block's cell: its body, and one for each name that it declares. */
  #variablesOf(block: Element): Variable[] {
    const all = [...this.module._runtime._variables];
    const bodies = all.filter(({ _observer }) => _observer._node && block.contains(_observer._node));
    const isOutput = ({ _inputs: [input] }: Variable) => /^cell /.test(input?._name ?? "") && bodies.includes(input);
    return [...bodies, ...[...this.module._scope.values()].filter(isOutput)];
  }

  /** @throws CellError if a cell declares a name of another, or uses one that is not defined or depends on itself */
  check(block: Element, { inputs, outputs, errorAt }: CompiledCell): void {
    const own = this.#variablesOf(block);
    const { _scope, _runtime, _builtins } = this.module;
    const taken = outputs.find((name) => this.#isDefined(name) && !own.includes(_scope.get(name)!));
    if (taken) throw errorAt(taken, `Another cell of this page already declares ${taken}.`);
    const builtin = [..._builtins.keys(), ..._runtime._builtin._scope.keys(), "display", "view", importName];
    const known = [...this.values().keys(), ...Object.keys(libraries), ...builtin];
    const missing = inputs.find((name) => !known.includes(name) && !(name in window));
    if (missing) {
      const meant = nearestName(missing, known);
      throw errorAt(missing, `${missing} is not defined.${meant ? ` Did you mean ${meant}?` : ""}`);
    }
    const needsThis = (variable: Variable, seen = new Set<Variable>()): boolean =>
      own.includes(variable) || variable._inputs.some((input) => !seen.has(input) && needsThis(input, seen.add(input)));
    const circular = inputs.find((name) => this.#isDefined(name) && needsThis(_scope.get(name)!));
    if (circular) throw errorAt(circular, `This cell uses ${circular}, which depends on this cell.`);
  }

  /**
   * Replaces the cell of a block.
   * @param report called with each error, and with undefined at each value
   */
  async replace(
    block: Element,
    { inputs, outputs, call }: CompiledCell,
    report: (error?: unknown) => void,
  ): Promise<void> {
    const constants: Record<string, unknown> = { [importName]: importModule };
    for (const name of inputs) {
      if (Object.hasOwn(libraries, name) && !this.#isDefined(name)) constants[name] = await libraries[name]();
    }
    this.delete(block);
    let evaluations = 0;
    let isShown = false;
    const run = (...values: unknown[]) => {
      const evaluation = ++evaluations;
      isShown = false;
      const display = (value: unknown) => {
        if (evaluation !== evaluations) throw new Error("This cell has run again since.");
        if (!isShown) clear(block);
        isShown = true;
        rootOf(block).before(value instanceof Node ? value : inspected(value));
        return value;
      };
      const view = (input: Element) => Generators.input(display(input) as Element);
      const given: Record<string, unknown> = { ...constants, display, view };
      variables.forEach((name, i) => {
        given[name] = values[i];
      });
      return call(...inputs.map((name) => given[name]));
    };
    const variables = inputs.filter((name) => !(name in constants) && name !== "display" && name !== "view");
    const body = this.module.variable({
      _node: block,
      fulfilled() {
        if (!isShown) clear(block);
        report();
      },
      rejected(error: unknown) {
        clear(block);
        report(waiting(error) ?? error);
      },
    });
    const name = `cell ${idOf(block)}`;
    body.define(outputs.length > 0 ? name : null, variables, run);
    for (const output of outputs) {
      this.module.variable(true).define(output, [name], (values) => (values as Record<string, unknown>)[output]);
    }
  }

  /** Deletes the cell of a block; what it displays stays until another is defined. */
  delete(block: Element): void {
    for (const variable of this.#variablesOf(block)) variable.delete();
  }
}

/** Returns what a cell says that cannot run since an input failed; undefined for an error of its own. */
function waiting(error: unknown): Error | undefined {
  const { name, message, input } = Object(error) as Error & { input?: string };
  if (name !== "RuntimeError" || !input || message === `${input} is not defined`) return undefined;
  return Object.assign(new Error(`Waits for ${input}.`), { name: "" });
}

function inspected(value: unknown): HTMLElement {
  const node = document.createElement("div");
  new Inspector(node).fulfilled(value);
  return node;
}
