import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../../src/host/node/install.js";

/** The headless Chromium for Linux of an npm package, with SwiftShader, a Vulkan loader and some shared libraries. */
export interface UnpackedChromium {
  executable: string;
  /** Script that starts it in its folder, where SwiftShader finds its settings. */
  launcher: string;
  /** Folder with libvulkan.so.1, which Dawn needs. */
  folder: string;
  /** Description of the Vulkan driver, SwiftShader, which runs on the CPU. */
  driver: string;
  /** Folder with shared libraries for systems that lack them. */
  libraries: string;
  /** A configuration file for systems that have no fonts. */
  fontconfig: string;
}

/** Returns whether the npm package supports this machine. */
export const hasPackagedChromium = process.platform === "linux" && process.arch === "x64";

/** Unpacks the browser on first use, which takes two seconds and 200 MB in `.gl/`. */
export function unpackChromium(): UnpackedChromium {
  if (!hasPackagedChromium) throw new Error(`there is no packaged Chromium for ${process.platform} ${process.arch}`);
  const folder = join(projectRoot, ".gl", `chromium-${packageVersion()}`);
  if (!existsSync(folder)) {
    // Several test processes may unpack it at the same time, each into a separate folder; the first rename wins.
    mkdirSync(dirname(folder), { recursive: true });
    const staging = mkdtempSync(`${folder}-`);
    try {
      execFileSync(process.execPath, [fileURLToPath(new URL("./unpackChromium.js", import.meta.url))], {
        // The package unpacks the shared libraries only with this variable.
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
    // Threads of SwiftShader spin before they wait, which takes cores from other threads.
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

/** Returns a configuration for the package's font, since its own one expects a fixed folder. */
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
