import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../../src/host/node/install.js";

/** A headless Chromium for Linux, out of npm: with it come SwiftShader, a Vulkan loader and some shared libraries. */
export interface UnpackedChromium {
  executable: string;
  /** Starts it in its own folder, where SwiftShader finds its settings. */
  launcher: string;
  /** Holds libvulkan.so.1, which Dawn looks for, and which a bare system lacks. */
  folder: string;
  /** The Vulkan driver's description: SwiftShader, which computes on the CPU. */
  driver: string;
  /** Shared libraries for systems that lack them. */
  libraries: string;
  /** A configuration file for systems that have no fonts. */
  fontconfig: string;
}

/** Whether this machine is of the one kind that the npm package serves. */
export const hasPackagedChromium = process.platform === "linux" && process.arch === "x64";

/** Unpacks the browser, the first time; it takes two seconds and 200 MB in `.gl/`. */
export function unpackChromium(): UnpackedChromium {
  if (!hasPackagedChromium) throw new Error(`there is no packaged Chromium for ${process.platform} ${process.arch}`);
  const folder = join(projectRoot, ".gl", `chromium-${packageVersion()}`);
  if (!existsSync(folder)) {
    // Several test processes may come here at once: each unpacks into a folder of its own, and the first to rename wins.
    mkdirSync(dirname(folder), { recursive: true });
    const staging = mkdtempSync(`${folder}-`);
    try {
      execFileSync(process.execPath, [fileURLToPath(new URL("./unpackChromium.js", import.meta.url))], {
        // This is how the package decides that it may be on a system without the shared libraries.
        env: { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
        stdio: ["ignore", "ignore", "inherit"],
      });
      writeFileSync(join(staging, "fonts.conf"), fontconfigOf(join(folder, "fonts")));
      renameSync(staging, folder);
    } catch (error) {
      rmSync(staging, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  const launcher = join(folder, "launch.sh");
  if (!existsSync(launcher)) {
    // Its threads spin for a while before they wait, and would take the cores from those who have work.
    writeFileSync(join(folder, "SwiftShader.ini"), "[Processor]\nThreadCount=1\n");
    writeFileSync(launcher, '#!/bin/sh\ncd "$(dirname "$0")" && exec ./chromium "$@"\n', { mode: 0o755 });
  }
  return {
    executable: join(folder, "chromium"),
    launcher,
    folder,
    driver: join(folder, "vk_swiftshader_icd.json"),
    libraries: join(folder, "al2023", "lib"),
    fontconfig: join(folder, "fonts.conf"),
  };
}

/** The package brings a font, but its own configuration looks for it in a fixed folder. */
function fontconfigOf(fonts: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${fonts}</dir>
  <cachedir>${fonts}/cache</cachedir>
</fontconfig>
`;
}

function packageVersion(): string {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const [folder] = entry.split(/(?<=@sparticuz[\\/]chromium)[\\/]/);
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}
