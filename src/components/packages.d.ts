// Types that we use of packages without their own.

declare module "htl" {
  /** Returns the element of the markup; several nodes are wrapped in a span. */
  export function html<E extends HTMLElement = HTMLElement>(strings: TemplateStringsArray, ...values: unknown[]): E;
  export namespace html {
    /** Returns the nodes of the markup. */
    function fragment(strings: TemplateStringsArray, ...values: unknown[]): DocumentFragment;
  }
  export function svg(strings: TemplateStringsArray, ...values: unknown[]): SVGElement;
}

declare module "d3-array" {
  /** Returns the least and the greatest number, if there is any. */
  export function extent(numbers: Iterable<number>): [low: number, high: number] | [undefined, undefined];
  export function group<T, K>(values: Iterable<T>, keyOf: (value: T) => K): Map<K, T[]>;
  export function groups<T, K>(values: Iterable<T>, keyOf: (value: T) => K): [K, T[]][];
  export function max<T>(values: Iterable<T>, of: (value: T) => number): number | undefined;
}

declare module "jsdom" {
  export class JSDOM {
    constructor(html?: string);
    readonly window: Window & typeof globalThis;
  }
}

declare module "npm:sucrase" {
  export * from "sucrase";
}

/** Framework's copy, which cells use too. Two copies would generate the same element ids. */
declare module "observablehq:stdlib/inputs" {
  export type Input<T> = HTMLElement & { value: T };
  // biome-ignore lint/suspicious/noExplicitAny: the options of each input are in its documentation
  export type Options = Record<string, any>;
  export function radio<T>(data: Iterable<T>, options?: Options): Input<T>;
  export function range(extent?: [number, number], options?: Options): Input<number>;
  export function select<T>(data: Iterable<T>, options: Options & { multiple: number }): Input<T[]>;
  export function select<T>(data: Iterable<T>, options?: Options): Input<T>;
  export function table<T>(data: Iterable<T>, options?: Options): Input<T[]>;
  export function bind<T>(target: Input<T>, source: Input<T>, invalidation?: Promise<unknown>): Input<T>;
}

// Framework's parser of cells. It is not a public interface, so its version is pinned.

declare module "@observablehq/framework/dist/javascript/assignments.js" {
  /** @throws SyntaxError with (line:column) if a cell assigns to a variable that it does not declare */
  export function checkAssignments(
    node: import("acorn").Node,
    references: import("acorn").Identifier[],
    input: string,
  ): void;
}

declare module "@observablehq/framework/dist/javascript/declarations.js" {
  export function findDeclarations(node: import("acorn").Program, input: string): import("acorn").Identifier[];
}

declare module "@observablehq/framework/dist/javascript/references.js" {
  export function findReferences(node: import("acorn").Node): import("acorn").Identifier[];
}
