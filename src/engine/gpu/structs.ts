import type { ShaderLibrary } from "../shaders.js";
import { type Declaration, declarationsOf } from "./declarations.js";

/** A type's size and alignment in a buffer, by WGSL's rules, in words of four bytes, and the kind of its scalars. */
interface TypeLayout {
  words: number;
  align: number;
  scalar: string;
}

/** The layout of a struct of the kernels. */
export class Struct {
  readonly #members = new Map<string, TypeLayout & { at: number }>();
  readonly words: number = 0;
  readonly align: number = 1;

  constructor(library: ShaderLibrary, { tokens }: Declaration) {
    const text = tokens.map(({ text }) => text).join("");
    // Commas within types are in angle brackets.
    for (const [, name, type] of text.matchAll(/[{,)](\w+):(\w+(?:<(?:[^<>]|<[^<>]*>)*>)?)/g)) {
      const layout = typeLayout(library, type);
      const at = roundUp(this.words, layout.align);
      this.#members.set(name, { ...layout, at });
      this.words = at + layout.words;
      this.align = Math.max(this.align, layout.align);
    }
    this.words = roundUp(this.words, this.align);
  }

  get bytes(): number {
    return 4 * this.words;
  }

  /** Returns the first word of a member. */
  at(member: string): number {
    return this.#member(member).at;
  }

  /**
   * Encodes structs as bytes; missing members are zero.
   * @param records the members of each struct; vectors and arrays as several numbers
   * @param stride bytes from one struct to the next
   */
  encode(records: readonly Record<string, number | ArrayLike<number>>[], stride = this.bytes): Uint8Array {
    const bytes = new DataView(new ArrayBuffer(stride * records.length));
    for (const [index, members] of records.entries()) {
      for (const name in members) {
        const value = members[name];
        const { at, scalar } = this.#member(name);
        const numbers = typeof value === "number" ? [value] : value;
        for (let k = 0; k < numbers.length; k++) {
          const byte = stride * index + 4 * (at + k);
          if (scalar === "f") bytes.setFloat32(byte, numbers[k], true);
          else bytes.setUint32(byte, numbers[k], true);
        }
      }
    }
    return new Uint8Array(bytes.buffer);
  }

  /** Decodes bytes to structs, with an array of numbers for each member. */
  decode(bytes: ArrayBuffer): Record<string, number[]>[] {
    const views = { f: new Float32Array(bytes), u: new Uint32Array(bytes) };
    return Array.from({ length: Math.floor(views.u.length / this.words) }, (_, index) => {
      const members = Array.from(this.#members, ([name, { at, words, scalar }]) => {
        const begin = this.words * index + at;
        return [name, Array.from(views[scalar === "f" ? "f" : "u"].subarray(begin, begin + words))];
      });
      return Object.fromEntries(members);
    });
  }

  #member(name: string): TypeLayout & { at: number } {
    const member = this.#members.get(name);
    if (!member) throw new Error(`The struct has no member ${name}, but ${[...this.#members.keys()].join(", ")}.`);
    return member;
  }
}

const structs = new WeakMap<ShaderLibrary, Map<string, Struct>>();

/** Returns a struct of the kernels by name. */
export function structOf(library: ShaderLibrary, name: string): Struct {
  const structsByName = structs.get(library) ?? new Map<string, Struct>();
  structs.set(library, structsByName);
  if (!structsByName.has(name)) structsByName.set(name, new Struct(library, declarationOf(library, "struct", name)));
  return structsByName.get(name)!;
}

function declarationOf(library: ShaderLibrary, kind: "struct" | "const", name: string): Declaration {
  for (const file of library.keys()) {
    const found = declarationsOf(library, file).find(
      (candidate) => candidate.name === name && candidate.tokens[0].text === kind,
    );
    if (found) return found;
  }
  throw new Error(`No shader declares a ${kind} ${name}.`);
}

function typeLayout(library: ShaderLibrary, type: string): TypeLayout {
  const [, vector, scalar] = /^(?:vec(\d)<?)?([fiu])(?:32)?>?$/.exec(type) ?? [];
  if (scalar) {
    const words = Number(vector ?? 1);
    return { words, align: words === 3 ? 4 : words, scalar };
  }
  const [, wrapper, inner, length] = /^(atomic|array)<(.+?)(?:,(\w+))?>$/.exec(type) ?? [];
  if (wrapper === "atomic") return typeLayout(library, inner);
  if (wrapper === "array") {
    const { words, align, scalar } = typeLayout(library, inner);
    // An array without a length takes the rest of its buffer.
    return { words: length ? numberOf(library, length) * roundUp(words, align) : 0, align, scalar };
  }
  const { words, align } = structOf(library, type);
  return { words, align, scalar: "u" };
}

/** Returns the value of a literal or a constant. */
function numberOf(library: ShaderLibrary, text: string): number {
  if (/^\d/.test(text)) return Number.parseInt(text, 10);
  const value = declarationOf(library, "const", text).tokens.at(-2)!.text;
  return numberOf(library, value);
}

function roundUp(value: number, step: number): number {
  return step * Math.ceil(value / step);
}
