import { deflateRaw } from "pako";
import { concat } from "../concat.js";
import { crc32 } from "./splat2d/crc32.js";

/** A file of a zip archive: its path, and its contents. */
type ZipFile = readonly [path: string, contents: Uint8Array | string];

/** The length of the record at the end of an archive without a comment. */
const endLength = 22;

/**
 * Returns a zip archive with further files, at most 65,535 files and 4 GB in all. All have the same time, so equal files
 * give equal bytes.
 * @param archive one of this function's; a new one if absent
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function addToZip(files: readonly ZipFile[], archive: Uint8Array = endOf(0, 0, 0)): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const end = new DataView(archive.buffer, archive.byteOffset + archive.length - endLength);
  const [count, listLength, listOffset] = [end.getUint16(10, true), end.getUint32(12, true), end.getUint32(16, true)];
  const entries = [archive.subarray(0, listOffset)];
  const list = [archive.subarray(listOffset, listOffset + listLength)];
  let offset = listOffset;
  for (const [path, contents] of files) {
    const name = encoder.encode(path);
    const bytes = typeof contents === "string" ? encoder.encode(contents) : contents;
    const data = deflateRaw(bytes);
    // Version 2.0, UTF-8 names, deflate, 1980-01-01; then the checksum, both lengths, and the name's.
    const head = concat([
      words(20, 1 << 11, 8, 0, (1 << 5) | 1),
      longs(crc32(bytes), data.length, bytes.length),
      words(name.length, 0),
    ]);
    entries.push(longs(0x04034b50), head, name, data);
    list.push(longs(0x02014b50), words(20), head, words(0, 0, 0), longs(0, offset), name);
    offset += 4 + head.length + name.length + data.length;
  }
  const wholeList = concat(list);
  return concat([...entries, wholeList, endOf(count + files.length, wholeList.length, offset)]);
}

function endOf(count: number, listLength: number, listOffset: number): Uint8Array<ArrayBuffer> {
  return concat([longs(0x06054b50), words(0, 0, count, count), longs(listLength, listOffset), words(0)]);
}

function words(...values: number[]): Uint8Array {
  return concat(values.map((value) => [value & 255, value >>> 8]));
}

function longs(...values: number[]): Uint8Array {
  return words(...values.flatMap((value) => [value & 65535, value >>> 16]));
}
