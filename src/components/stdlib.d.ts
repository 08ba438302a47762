/** The parts of Observable Framework's standard library that modules use. */
declare module "observablehq:stdlib" {
  /** A file of the site. The name is a literal, relative to the module, so that Framework can find it. */
  export interface AttachedFile {
    readonly name: string;
    readonly href: string;
    blob(): Promise<Blob>;
    arrayBuffer(): Promise<ArrayBuffer>;
    text(): Promise<string>;
    json(): Promise<unknown>;
  }
  export function FileAttachment(name: string): AttachedFile;
  export const Generators: { input(element: Element): AsyncGenerator<unknown> };
}

declare module "observablehq:client" {
  /** Replaces the definition of a cell. */
  export function define<Inputs extends unknown[]>(cell: {
    id: string;
    inputs: string[];
    outputs?: string[];
    body: (...inputs: Inputs) => unknown;
  }): void;
}

declare module "observablehq:runtime" {
  /** Shows a value of any type in an element. */
  export class Inspector {
    constructor(node: HTMLElement);
    fulfilled(value: unknown): void;
  }
}
