import { define } from "observablehq:client";
import { Inspector } from "observablehq:runtime";
import { Generators } from "observablehq:stdlib";
import { html } from "htl";
import { nearestName } from "../../engine/nearestName.js";
import type { CellError, CompiledCell } from "./compile.js";

// Framework has no public interface to a page's runtime. Only this file depends on its internals.

/** The parts of a variable of Observable's runtime that are used here. */
interface Variable {
  define(name: string, inputs: string[], body: (...values: never[]) => unknown): void;
  delete(): void;
  readonly _module: Module;
  readonly _value: unknown;
  /** The variables that use it. */
  readonly _outputs: ReadonlySet<Variable>;
  /** 1 if a cell defines it. */
  readonly _type: number;
  _observer: Observer;
}

/** Shows what a cell displays in its block, `_node`. */
interface Observer {
  _node?: Element;
  fulfilled?(): void;
  rejected?(error: unknown): void;
}

interface Module {
  variable(observer: Observer | true): Variable;
  readonly _scope: ReadonlyMap<string, Variable>;
  readonly _runtime: { readonly _variables: Iterable<Variable>; readonly _builtin: Module };
}

let count = 0;

/** The page's cells in Observable's runtime. */
export class Notebook {
  private constructor(readonly module: Module) {
    for (const { _observer: observer } of module._runtime._variables) {
      const { _node: block, rejected } = observer;
      if (!block || !rejected) continue;
      observer.rejected = (error) => {
        const waits = waiting(error);
        block.classList.toggle("is-waiting", waits !== undefined);
        rejected(waits ?? error);
      };
    }
  }

  /** @param block that of any cell of this page which displays nothing */
  static open({ id }: Element): Promise<Notebook> {
    return new Promise((resolve) => {
      const body = ({ _module }: Variable) => resolve(new Notebook(_module));
      define({ id: id.replace("cell-", ""), inputs: ["@variable"], body });
    });
  }

  /** Returns the current values of the page's cells by name; undefined where there is none yet. */
  values(): Map<string, unknown> {
    const named = [...this.module._scope].filter(([name, { _type }]) => /^[\w$]+$/.test(name) && _type === 1);
    return new Map(named.map(([name, { _value }]) => [name, _value]));
  }

  /**
   * Replaces the cell of a block.
   * @param needsNames whether all names that it uses must be defined, and not only before it runs
   * @param report called with each error, and with undefined at each value
   * @throws CellError if it declares a name of another cell, uses one that depends on it, or lacks one
   */
  define(block: Element, cell: CompiledCell, needsNames: boolean, report: (error?: CellError) => void): void {
    this.#check(block, cell, needsNames);
    this.delete(block);
    let runs = 0;
    let shownRun = 0;
    /** Removes what earlier runs display. */
    const show = (run: number) => {
      if (shownRun < run) clear(block);
      shownRun = run;
    };
    const body = this.module.variable({
      _node: block,
      fulfilled() {
        show(runs);
        report();
      },
      rejected: (error) => {
        clear(block);
        const { input, message } = Object(error);
        const isMissing = message === `${input} is not defined`;
        report(isMissing ? this.#missing(input, cell) : (waiting(error) ?? cell.explain(error)));
      },
    });
    const name = `cell ${++count}`;
    const inputs = cell.inputs.filter((input) => !/^(display|view)$/.test(input));
    body.define(name, inputs, (...values) => {
      const run = ++runs;
      const display = (value: unknown) => {
        if (run < runs) throw new Error("This cell has run again since.");
        show(run);
        block.append(value instanceof Node ? value : inspected(value));
        return value;
      };
      const view = (input: Element) => Generators.input(display(input) as Element);
      return cell.call({ display, view, ...Object.fromEntries(inputs.map((input, i) => [input, values[i]])) });
    });
    for (const output of cell.outputs) {
      this.module.variable(true).define(output, [name], (values: Record<string, unknown>) => values[output]);
    }
  }

  /** Deletes the cell of a block; what it displays stays until another is defined. */
  delete(block: Element): void {
    const body = this.#bodyOf(block);
    for (const variable of body ? [...body._outputs, body] : []) {
      // The runtime would report the deletion as a value.
      variable._observer = {};
      variable.delete();
    }
  }

  #bodyOf(block: Element): Variable | undefined {
    return [...this.module._runtime._variables].find(({ _observer }) => _observer._node === block);
  }

  #check(block: Element, cell: CompiledCell, needsNames: boolean): void {
    const { _scope } = this.module;
    const own = this.#bodyOf(block)?._outputs;
    const values = this.values();
    const taken = cell.outputs.find((name) => values.has(name) && !own?.has(_scope.get(name)!));
    if (taken) throw cell.errorOf(taken, `Another cell of this page already declares ${taken}.`);
    const known = this.#names();
    const missing = cell.inputs.find((name) => !known.includes(name) && !(name in window));
    if (missing && needsNames) throw this.#missing(missing, cell);
    // A set visits what is added meanwhile.
    const dependents = new Set(own);
    for (const dependent of dependents) for (const next of dependent._outputs) dependents.add(next);
    const circular = cell.inputs.find((name) => dependents.has(_scope.get(name)!));
    if (circular) throw cell.errorOf(circular, `This cell uses ${circular}, which depends on this cell.`);
  }

  #names(): string[] {
    const builtins = this.module._runtime._builtin._scope.keys();
    return [...this.values().keys(), ...builtins, "invalidation", "visibility", "display", "view"];
  }

  #missing(name: string, { errorOf }: CompiledCell): CellError {
    const meant = nearestName(name, this.#names());
    return errorOf(name, `${name} is not defined.${meant ? ` Did you mean ${meant}?` : ""}`);
  }
}

/** Removes what a cell displays. */
export function clear(block: Element): void {
  for (const node of [...block.childNodes]) (node as ChildNode).remove();
}

/** Returns what a cell says that cannot run since an input failed; undefined for an error of its own. */
function waiting(error: unknown): Error | undefined {
  const { name, input } = Object(error) as Error & { input?: string };
  const isInput = name === "RuntimeError" && input !== undefined;
  return isInput ? Object.assign(new Error(`Waits for ${input}.`), { name: "" }) : undefined;
}

function inspected(value: unknown): HTMLElement {
  const node = html`<div></div>`;
  new Inspector(node).fulfilled(value);
  return node;
}
