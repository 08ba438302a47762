import { buffersAmong, declarationsOf, filesOf } from "../../../engine/gpu/declarations.js";
import { composeShader, type ShaderLibrary } from "../../../engine/shaders.js";

/** How a kernel or a function uses a shared variable. */
export type Use = "reads" | "writes" | "reads and writes";

/** A variable that threads share: a buffer of group 0, or workgroup memory. */
export interface SharedVariable {
  name: string;
  space: "buffer" | "workgroup";
  type: string;
  /** Of a buffer. */
  binding?: number;
}

/** Returns the functions of a WGSL text by name, with their heads and bodies. */
function functionsOf(code: string): Map<string, { head: string; body: string }> {
  const functions = new Map<string, { head: string; body: string }>();
  for (const match of code.matchAll(/^fn\s+(\w+)\s*\(/gm)) {
    const rest = code.slice(match.index);
    const open = rest.indexOf("{");
    const close = rest.search(/^\}/m);
    functions.set(match[1], { head: rest.slice(0, open).trim(), body: rest.slice(open + 1, close) });
  }
  return functions;
}

function withoutComments(code: string): string {
  return code.replace(/\/\/.*$/gm, "");
}

/** Returns the bodies of a function and of all functions that it calls. */
function reachableCode(code: string, entry: string): string {
  const functions = functionsOf(withoutComments(code));
  const seen = new Set<string>([entry]);
  for (const name of seen) {
    for (const [word] of (functions.get(name)?.body ?? "").matchAll(/\w+/g)) if (functions.has(word)) seen.add(word);
  }
  return [...seen].map((name) => functions.get(name)?.body ?? "").join("\n");
}

/** Returns the types of a function's first argument and result. */
export function signatureOf(text: string, name: string): { takes: string; returns: string } {
  const head = functionsOf(withoutComments(text)).get(name)?.head.replace(/\s+/g, " ") ?? "";
  const [, takes = ""] = /\(\s*\w+:\s*([\w<>]+)/.exec(head) ?? [];
  const [, returns = ""] = /->\s*([\w<>]+)/.exec(head) ?? [];
  return { takes, returns };
}

/** Returns the shared variables that a file and its imports declare. */
function sharedVariables(library: ShaderLibrary, file: string, code: string): SharedVariable[] {
  const declarations = filesOf(library, file).flatMap((path) => declarationsOf(library, path));
  const buffers = buffersAmong(declarations).map(
    ({ name, type, binding }): SharedVariable => ({ name, type, binding, space: "buffer" }),
  );
  const declared = withoutComments(code).matchAll(/^\s*var<workgroup>\s+(\w+)\s*:\s*(.+?)\s*;/gm);
  const ofWorkgroup = Array.from(declared, ([, name, type]): SharedVariable => ({ name, type, space: "workgroup" }));
  return [...buffers, ...ofWorkgroup];
}

/**
 * Returns the shared variables that a function and all functions that it calls use. It reads the text, because a kernel
 * may only write a binding that is declared as read_write.
 * @param file path under shaders/
 */
export function usesOf(library: ShaderLibrary, file: string, entry = "main"): { variable: SharedVariable; use: Use }[] {
  const { code } = composeShader(library, file);
  const text = moveIndicesToEnd(reachableCode(code, entry));
  return sharedVariables(library, file, code).flatMap((variable) => {
    const use = useOf(text, variable.name);
    return use ? [{ variable, use }] : [];
  });
}

/** Returns how a text uses a variable; undefined if it does not. */
export function useOf(text: string, name: string): Use | undefined {
  const pattern = new RegExp(
    `(?:\\b(atomic\\w+|arrayLength)\\s*\\(\\s*&\\s*)?\\b${name}\\b(?:\\s*\\.\\s*\\w+)*\\s*(=(?!=)|[-+*/%&|^]=|<<=|>>=|\\+\\+|--)?`,
    "g",
  );
  let reads = false;
  let writes = false;
  for (const [, call, sign] of moveIndicesToEnd(text).matchAll(pattern)) {
    if (call === "arrayLength") continue;
    reads ||= call ? call !== "atomicStore" : sign !== "=";
    writes ||= call ? call !== "atomicLoad" : sign !== undefined;
  }
  if (reads && writes) return "reads and writes";
  if (reads) return "reads";
  return writes ? "writes" : undefined;
}

/** Moves the contents of brackets to the end of a text: an index is always read, even in an assignment. */
function moveIndicesToEnd(text: string): string {
  const indices: string[] = [];
  let rest = text;
  while (rest.includes("[")) {
    const before = rest;
    rest = rest.replace(/\[([^[\]]*)\]/g, (_, index: string) => {
      indices.push(index);
      return "";
    });
    if (rest === before) break;
  }
  return [rest, ...indices].join(";\n");
}
