// The npm package contains what this module returned when it was packed, since its users have neither these sources nor
// Framework.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { projectRoot } from "../../host/node/install.js";

/** Returns the scripts and the styles of one-file reports. */
export async function documentBundle(): Promise<{ unpack: string; script: string; style: string }> {
  const [unpack, script, style] = await Promise.all(["unpack.ts", "document.ts", "report.css"].map(bundle));
  return { unpack, script, style };
}

/** Returns the script and the styles of the live view. */
export async function liveBundle(): Promise<{ script: string; style: string }> {
  const [script, style] = await Promise.all(["live/page.ts", "live/live.css"].map(bundle));
  return { script, style };
}

async function bundle(file: string): Promise<string> {
  const framework = dirname(createRequire(import.meta.url).resolve("@observablehq/framework/package.json"));
  const styles = ["default", "theme-air", "theme-near-midnight"].map((name) => [
    `observablehq:${name}.css`,
    join(framework, "dist", "style", `${name}.css`),
  ]);
  const { outputFiles } = await build({
    entryPoints: [join(projectRoot, "src", "report", file)],
    alias: Object.fromEntries(styles),
    bundle: true,
    format: "esm",
    minify: true,
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "silent",
  });
  // esbuild escapes what would close a script or style element.
  return outputFiles[0].text.trim();
}
