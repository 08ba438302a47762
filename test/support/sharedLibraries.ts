import { spawnSync } from "node:child_process";

/** The Debian package that holds each library which the packaged browser and its Vulkan driver ask of the system. */
const debianPackages: Record<string, string> = {
  "libc.so.6": "libc6",
  "libdl.so.2": "libc6",
  "libm.so.6": "libc6",
  "libpthread.so.0": "libc6",
  "librt.so.1": "libc6",
  "libexpat.so.1": "libexpat1",
  "libgcc_s.so.1": "libgcc-s1",
  "libstdc++.so.6": "libstdc++6",
  "libnspr4.so": "libnspr4",
  "libplc4.so": "libnspr4",
  "libplds4.so": "libnspr4",
  "libnss3.so": "libnss3",
  "libnssutil3.so": "libnss3",
  "libsmime3.so": "libnss3",
  "libsoftokn3.so": "libnss3",
  "libfreebl3.so": "libnss3",
  "libvulkan.so.1": "libvulkan1",
};

/** The Debian package that holds a shared library, or undefined for one that we never met. */
export function debianPackageOf(soname: string): string | undefined {
  return debianPackages[soname];
}

/** One sentence that says what is missing, and what to install. */
export function missingLibrariesSentence(program: string, sonames: string[]): string {
  const packages = [...new Set(sonames.map(debianPackageOf).filter((name) => name !== undefined))].sort();
  const unknown = sonames.filter((soname) => debianPackageOf(soname) === undefined);
  const advice = [
    packages.length > 0 ? `on Debian, run apt-get install ${packages.join(" ")}` : "",
    unknown.length > 0 ? `apt-file search ${unknown.join(" ")} finds the Debian package` : "",
  ].filter(Boolean);
  const libraries = sonames.length > 1 ? "shared libraries" : "shared library";
  return `${program} needs the ${libraries} ${sonames.join(", ")}, missing here; ${advice.join("; ")}.`;
}

/**
 * The shared libraries that a program or library needs and the system does not find.
 * @param file the program or library
 * @param folder a further folder to look in
 */
export function missingLibraries(file: string, folder?: string): string[] {
  const search = [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  // Where there is no ldd, the program's own message has to do.
  const { stdout } = spawnSync("ldd", [file], {
    encoding: "utf8",
    env: { ...process.env, ...(search && { LD_LIBRARY_PATH: search }) },
  });
  return parseMissing(stdout ?? "");
}

/** The sonames that ldd's output marks as not found, each once. */
export function parseMissing(ldd: string): string[] {
  return [...new Set([...ldd.matchAll(/^\s*(\S+) => not found/gm)].map(([, soname]) => soname))];
}
