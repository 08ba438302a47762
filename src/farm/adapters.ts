import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";

/** Where the system lists GPUs: those of NVIDIA's driver by their addresses on the bus, and all that can draw. */
const deviceFolders = { nvidia: "/proc/driver/nvidia/gpus", drawing: "/sys/class/drm" };

/** The device file of each GPU of this machine; of a system that is not Linux none is known. */
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

/** What stands before a command so that it sees one of several GPUs, for each of them; or why there is no such thing. */
export type Confinement =
  | { commandPrefixes: string[][]; trouble?: undefined }
  | { commandPrefixes?: undefined; trouble: string };

const hideScript = 'for file in $0; do mount --bind /dev/null "$file" || exit; done; exec "$@"';

/**
 * Lets each worker have a GPU of its own. Dawn knows adapters by their names alone, which GPUs of one kind share, and
 * Vulkan has no setting that tells these apart: so each process is started where the others' device files are empty.
 * @param files of the GPUs
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
    trouble: `All workers use the first of ${files.length} GPUs, since none can be hidden from them: ${reason}.`,
  };
}
