import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";

/** Folders where Linux lists GPUs: those of NVIDIA's driver by bus address, and all GPUs of the kernel's drivers. */
const deviceFolders = { nvidia: "/proc/driver/nvidia/gpus", drawing: "/sys/class/drm" };

/** Returns the device file of each GPU of this machine; none on other systems than Linux. */
export function gpuFiles(): string[] {
  const nvidia = namesIn(deviceFolders.nvidia);
  const drawing = namesIn(deviceFolders.drawing).filter((name) => name.startsWith("renderD"));
  const others = drawing.filter(
    (name) => !nvidia.includes(basename(realpathSync(join(deviceFolders.drawing, name, "device")))),
  );
  return [...nvidia.map(nvidiaFile), ...others.map((name) => join("/dev/dri", name))];
}

function nvidiaFile(address: string): string {
  const text = readFileSync(join(deviceFolders.nvidia, address, "information"), "utf8");
  return `/dev/nvidia${/^Device Minor:\s*(\d+)/m.exec(text)?.[1]}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** For each GPU, the command prefix that makes only this GPU visible; or the reason if GPUs cannot be hidden. */
export type Confinement =
  | { commandPrefixes: string[][]; warning?: undefined }
  | { commandPrefixes?: undefined; warning: string };

const hideScript = 'for file in $0; do mount --bind /dev/null "$file" || exit; done; exec "$@"';

/**
 * Returns how to give each worker its own GPU. Dawn identifies adapters by name, which GPUs of the same model share,
 * and Vulkan has no setting to select one of them. So each process is started in a mount namespace where the device
 * files of the other GPUs are /dev/null.
 * @param files device files of the GPUs
 */
export function confinement(files = gpuFiles()): Confinement {
  if (files.length < 2) return { commandPrefixes: [[]] };
  const rights = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const commandPrefixes = files.map((ownFile) => {
    const others = files.filter((file) => file !== ownFile).join(" ");
    return ["unshare", ...rights, "--mount", "sh", "-c", hideScript, others];
  });
  const [[command, ...args]] = commandPrefixes;
  const { status, error, stderr } = spawnSync(command, [...args, "true"], { encoding: "utf8" });
  if (status === 0) return { commandPrefixes };
  const reason = error?.message ?? stderr.trim().split("\n")[0];
  return {
    warning: `All workers use the first of ${files.length} GPUs, since none can be hidden from them: ${reason}.`,
  };
}
