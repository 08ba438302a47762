/** WGSL files with an error, and its message on both compilers. They import `c.wgsl`. */
export const brokenKernels = [
  {
    source: "#import c.wgsl\n\n@compute @workgroup_size(1) fn main() {\n  let x: u32 = 1.5;\n}",
    dawn: "broken.wgsl:4:16: cannot convert value of type 'abstract-float' to type 'u32'",
    wgpu: "broken.wgsl:4:7: the type of `x` is expected to be `u32`, but got `{AbstractFloat}`",
  },
  {
    source:
      "#import c.wgsl\nfn half() -> u32 {\n  return 0.5f;\n}\n@compute @workgroup_size(1) fn main() { _ = half(); }",
    dawn: "broken.wgsl:3:3: return statement type must match its function return type, returned 'f32', expected 'u32'",
    wgpu: "broken.wgsl:2:1: The `return` expression Some([0]) does not match the declared return type Some([0])",
  },
  {
    source: "#import c.wgsl\n@compute @workgroup_size(1) fn main() {\n  let x = 1\0;\n}",
    dawn: "broken.wgsl:3:12: The WGSL shader contains an illegal character '\\0'",
    wgpu: 'broken.wgsl:3:12: expected `;`, found "\\0"',
  },
  {
    source: "#import c.wgsl\n\n@compute @workgroup_size(100000) fn main() {}",
    dawn: "broken.wgsl:3:10: Entry-point uses workgroup_size(100000, 1, 1) that exceeds the maximum allowed (256, 256, 64).",
    wgpu: "broken.wgsl:3:10: Workgroup size is out of range",
  },
];
