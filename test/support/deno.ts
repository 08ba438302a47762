import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { ensurePackages, projectRoot } from "../../src/host/node/install.js";
import { softwareAdapterEnvironment } from "./softwareAdapter.js";

/** Installs Deno, once before all test files. */
export const setup = (): void => ensurePackages(["deno"]);

/** Returns Deno's executable from npm, with wgpu as its WebGPU; undefined on platforms without a package. */
export function deno(): string | undefined {
  const { platform, arch } = process;
  const name = `@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}`;
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve("deno/package.json"));
    return resolve(`${name}/${platform === "win32" ? "deno.exe" : "deno"}`);
  } catch {
    return undefined;
  }
}

/**
 * Bundles a module and runs it in Deno, on the software adapter and without a network.
 * @param module path of a TypeScript file
 * @param input contents of stdin
 * @returns its output, and the reason if it failed
 */
export async function runInDeno(module: string, input: string): Promise<{ stdout: string; failure?: string }> {
  const folder = join(projectRoot, ".dev", "deno");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, "bundle.js");
  await build({ entryPoints: [module], outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
  const env = {
    ...process.env,
    ...softwareAdapterEnvironment(),
    DENO_DIR: folder,
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
  };
  const offline = ["--no-remote", "--no-npm", "--no-config", "--no-lock"];
  const running = promisify(execFile)(deno()!, ["run", ...offline, "--allow-read", outfile], {
    env,
    maxBuffer: 2 ** 26,
  });
  running.child.stdin!.end(input);
  return running.then(
    ({ stdout }) => ({ stdout }),
    ({ stdout, stderr, message }) => ({ stdout, failure: stderr || message }),
  );
}
