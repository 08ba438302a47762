import { spawnSync } from "node:child_process";

/** The Debian packages of the libraries that the packaged browser and its Vulkan driver need. */
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

/** Returns the Debian package of a shared library, if known. */
function debianPackageOf(soname: string): string | undefined {
  return debianPackages[soname];
}

/** Returns a sentence with the missing libraries and the packages to install. */
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
 * Returns the shared libraries that a program or library needs and the system lacks.
 * @param file the program or library
 * @param folder a further folder to look in
 */
export function missingLibraries(file: string, folder?: string): string[] {
  const search = [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  // Without ldd, the program's own message must suffice.
  const { stdout } = spawnSync("ldd", [file], {
    encoding: "utf8",
    env: { ...process.env, ...(search && { LD_LIBRARY_PATH: search }) },
  });
  return parseMissing(stdout ?? "");
}

/** Returns the sonames that ldd's output marks as not found, without duplicates. */
function parseMissing(ldd: string): string[] {
  return [...new Set([...ldd.matchAll(/^\s*(\S+) => not found/gm)].map(([, soname]) => soname))];
}
