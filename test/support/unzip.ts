import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inflateRawSync } from "node:zlib";

/** Writes the files of a zip archive, as its list of entries names them. */
export function unzip(archive: Buffer, folder: string): void {
  let at = archive.readUInt32LE(archive.length - 6);
  for (let left = archive.readUInt16LE(archive.length - 12); left > 0; left--) {
    const [length, nameLength, entry] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
      archive.readUInt32LE(at + 42),
    ];
    const path = join(folder, archive.toString("utf8", at + 46, at + 46 + nameLength));
    const start = entry + 30 + nameLength;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, inflateRawSync(archive.subarray(start, start + length)));
    at += 46 + nameLength;
  }
}
