/** The files of the CPU reference that `runTrial` needs, below src/engine/, each after the files that it imports. */
export const trialFiles = [
  "sha256.ts",
  "concat.ts",
  "image/image.ts",
  "model/blobs.ts",
  "model/accumulate.ts",
  "model/adam.ts",
  "model/blob.ts",
  "model/blend.ts",
  "model/bounds.ts",
  "model/uv.ts",
  "model/rates.ts",
  "model/shortList.ts",
  "model/tileLists.ts",
  "model/renderTasks.ts",
  "model/rasterize.ts",
  "model/trial.ts",
] as const;

export type TrialFile = (typeof trialFiles)[number];

/**
 * Returns the source of one module that exports `runTrial`, linked from the files of the CPU reference.
 * @param commonJs returns a file as a CommonJS module
 */
export function linkReference(commonJs: (file: TrialFile) => string): string {
  const modules = trialFiles.map((file) => {
    const folder = file.split("/").slice(0, -1);
    const resolve = `(path) => modules[resolve(${JSON.stringify(folder)}, path)]`;
    return `{ const exports = modules[${JSON.stringify(file)}] = {}; const require = ${resolve};
${commonJs(file)}
}`;
  });
  return `const modules = {};
const resolve = (folder, path) => {
  const names = [...folder];
  for (const name of path.replace(/\\.js$/, ".ts").split("/")) {
    if (name === "..") names.pop();
    else if (name !== ".") names.push(name);
  }
  return names.join("/");
};
${modules.join("\n")}
export const { runTrial } = modules["model/trial.ts"];
`;
}
