import type { ComposedShader, ShaderLibrary } from "./shaders.js";

/** A buffer of a kernel, as its WGSL declares it. */
export interface DeclaredBinding {
  group: number;
  binding: number;
  name: string;
  access: "uniform" | "read" | "read_write" | "write";
  type: string;
  /** Where it is declared. */
  file: string;
  line: number;
}

const declaration =
  /^\s*@group\(\s*(\d+)\s*\)\s*@binding\(\s*(\d+)\s*\)\s*var\s*<\s*(\w+)\s*(?:,\s*(\w+)\s*)?>\s*(\w+)\s*:\s*(.+?)\s*;/;

/** The bindings that a composed kernel declares and uses, by number. One that it never names again is none of its. */
export function bindingsOf({ code, lines }: ComposedShader): DeclaredBinding[] {
  const used = new Map<string, number>();
  for (const [word] of code.replace(/\/\/.*$/gm, "").matchAll(/[A-Za-z_]\w*/g))
    used.set(word, (used.get(word) ?? 0) + 1);
  const bindings: DeclaredBinding[] = [];
  for (const [index, text] of code.split("\n").entries()) {
    const [found, group, binding, space, access, name, type] = declaration.exec(text) ?? [];
    if (!found || used.get(name) === 1) continue;
    const kind = space === "uniform" ? "uniform" : ((access ?? "read") as DeclaredBinding["access"]);
    bindings.push({ group: Number(group), binding: Number(binding), name, access: kind, type, ...lines[index] });
  }
  return bindings.sort((a, b) => a.group - b.group || a.binding - b.binding);
}

/** A file and all that it imports, itself first, nearest ones next. What does not exist is left out. */
export function filesOf(library: ShaderLibrary, file: string): string[] {
  const files = [file];
  for (const from of files) {
    for (const [, imported] of (library.get(from) ?? "").matchAll(/^\s*#import\s+(\S+)\s*$/gm)) {
      if (library.has(imported) && !files.includes(imported)) files.push(imported);
    }
  }
  return files;
}

/** The comment with which a file begins: what it is for. */
export function headOf(text: string): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith("//")) break;
    lines.push(line.replace(/^\/\/\s?/, ""));
  }
  return lines.join(" ");
}
