import { composeShader, type ShaderLibrary } from "../../../engine/shaders.js";

const declaration = /^var<workgroup>\s+(\w+):\s*(.+);\s*$/;
const scalar = /^(?:u32|i32|f32|atomic<[ui]32>)$/;

/**
 * Returns the variables of a kernel in workgroup memory, with their bytes, and the bytes that WebGPU counts: multiples of 16.
 * @param lengths the values of constants that declare array lengths, such as GAUSSIANS_PER_BLOCK
 * @throws Error if the kernel declares a type of unknown size
 */
export function workgroupMemory(shaders: ShaderLibrary, kernel: string, lengths: Record<string, number>) {
  const { code, lines } = composeShader(shaders, kernel);
  return code.split("\n").flatMap((line, index) => {
    const [, name, type] = declaration.exec(line) ?? [];
    if (name === undefined) return [];
    const bytes = bytesOf(type, lengths);
    return [{ name, type, file: lines[index].file, bytes, counted: 16 * Math.ceil(bytes / 16) }];
  });
}

function bytesOf(type: string, lengths: Record<string, number>): number {
  if (scalar.test(type)) return 4;
  const [, element, length] = /^array<(.+),\s*(\w+)>$/.exec(type) ?? [];
  const count = lengths[length] ?? Number(length);
  if (element === undefined || !scalar.test(element) || Number.isNaN(count)) {
    throw new Error(`The size of ${type} is not known.`);
  }
  return 4 * count;
}
