import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";

/** Where the system lists GPUs: those of NVIDIA's driver by their addresses on the bus, and all that can draw. */
const lists = { nvidia: "/proc/driver/nvidia/gpus", drawing: "/sys/class/drm" };

/** The device file of each GPU of this machine; of a system that is not Linux none is known. */
export function gpuFiles(): string[] {
  const nvidia = namesIn(lists.nvidia);
  const drawing = namesIn(lists.drawing).filter((name) => name.startsWith("renderD"));
  const others = drawing.filter(
    (name) => !nvidia.includes(basename(realpathSync(join(lists.drawing, name, "device")))),
  );
  return [...nvidia.map(nvidiaFile), ...others.map((name) => join("/dev/dri", name))];
}

function nvidiaFile(address: string): string {
  const text = readFileSync(join(lists.nvidia, address, "information"), "utf8");
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
export type Confinement = { before: string[][]; trouble?: undefined } | { before?: undefined; trouble: string };

const hide = 'for file in $0; do mount --bind /dev/null "$file" || exit; done; exec "$@"';

/**
 * Lets each worker have a GPU of its own. Dawn knows adapters by their names alone, which GPUs of one kind share, and
 * Vulkan has no setting that tells these apart: so each process is started where the others' device files are empty.
 * @param files of the GPUs
 */
export function confinement(files = gpuFiles()): Confinement {
  if (files.length < 2) return { before: [[]] };
  const rights = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const before = files.map((own) => {
    const others = files.filter((file) => file !== own).join(" ");
    return ["unshare", ...rights, "--mount", "sh", "-c", hide, others];
  });
  const [[command, ...args]] = before;
  const { status, error, stderr } = spawnSync(command, [...args, "true"], { encoding: "utf8" });
  if (status === 0) return { before };
  const why = error?.message ?? stderr.trim().split("\n")[0];
  return { trouble: `All workers use the first of ${files.length} GPUs, since none can be hidden from them: ${why}.` };
}
