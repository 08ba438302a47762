// The npm package contains what this module returned when it was packed, since its users have neither these sources nor
// Framework.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { projectRoot } from "../../host/node/install.js";

const bundled = new Map<string, Promise<string>>();

/** Returns the styles of reports. */
export function reportStyle(): Promise<string> {
  return bundleOnce("components/page/page.css");
}

/** Returns the script that renews the pages of `splatbook view`. */
export function followBundle(): Promise<string> {
  return bundleOnce("report/follow.ts");
}

function bundleOnce(file: string): Promise<string> {
  const known = bundled.get(file) ?? bundle(file);
  bundled.set(file, known);
  return known;
}

async function bundle(file: string): Promise<string> {
  const framework = dirname(createRequire(import.meta.url).resolve("@observablehq/framework/package.json"));
  const styles = ["default", "theme-air", "theme-near-midnight"].map((name) => [
    `observablehq:${name}.css`,
    join(framework, "dist", "style", `${name}.css`),
  ]);
  const { outputFiles } = await build({
    entryPoints: [join(projectRoot, "src", file)],
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
