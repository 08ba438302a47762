// `npm run build:kernel`: compiles the CPU engine's kernel, src/engine/cpu/kernel/, into src/engine/cpu/kernelBytes.ts.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const folder = new URL("../engine/cpu/", import.meta.url);
const compiled = new URL("kernelBytes.ts", folder);

/**
 * Compiles the kernel.
 * @returns the module that holds it, which is the same on every machine
 * @throws Error with what the compiler reports
 */
export async function compileKernel(): Promise<string> {
  let bytes = new Uint8Array();
  const options = ["-O3", "--enable", "simd", "--runtime", "stub", "--outFile", "kernel.wasm"];
  const { error, stderr } = await asc.main(["index.ts", ...options], {
    readFile: (name, base) => read(new URL(name, new URL(`${base}/`, new URL("kernel/", folder)))),
    writeFile: (_, contents) => {
      bytes = contents as Uint8Array<ArrayBuffer>;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(stderr.toString());
  return `// Made by \`npm run build:kernel\` of the files in kernel/.

/** Returns the compiled kernel, a WebAssembly module. */
export function kernelBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

const base64 =
  "${Buffer.from(bytes).toString("base64")}";
`;
}

function read(url: URL): string | null {
  try {
    return readFileSync(url, "utf8");
  } catch {
    return null;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(compiled, await compileKernel());
