import fc from "fast-check";
import { concat } from "../../src/engine/files/arrowFile.js";

/** What lengths, counts and places are when somebody lies about them. */
const telling = [
  0,
  1,
  2,
  4,
  8,
  0x7f,
  0x80,
  0xff,
  0x7fff,
  0xffff,
  2 ** 24,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 8,
  2 ** 32 - 1,
];

const edit = fc.record({
  what: fc.constantFrom("bytes", "number", "number", "cut", "remove", "repeat", "splice"),
  // Heads and tails tell how the rest is to be read.
  at: fc.oneof(fc.nat(), fc.integer({ min: 0, max: 80 }), fc.integer({ min: -80, max: -1 })),
  from: fc.nat(),
  length: fc.integer({ min: 1, max: 48 }),
  value: fc.oneof(fc.constantFrom(...telling), fc.nat(), fc.nat(255)),
  width: fc.constantFrom(1, 2, 4, 8),
  isLittle: fc.boolean(),
});

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/**
 * Sound files with up to five wrong places: bytes and numbers that are others, parts that are missing, stand twice or
 * come from another file.
 * @param mend makes right again, in half of the cases, what would have a reader look no further, such as a checksum
 */
export function damagedBytes(
  files: readonly Uint8Array[],
  mend?: (bytes: Uint8Array) => Uint8Array,
): fc.Arbitrary<Uint8Array> {
  const { length } = files;
  return fc
    .tuple(fc.nat(length - 1), fc.nat(length - 1), fc.array(edit, { maxLength: 5 }), fc.boolean())
    .map(([file, other, edits, isMended]) => {
      const damaged = edits.reduce((bytes, change) => damage(bytes, change, files[other]), files[file]);
      return isMended && mend ? mend(damaged) : damaged;
    });
}

function damage(bytes: Uint8Array, { what, at, from, length, value, width, isLittle }: Edit, other: Uint8Array) {
  if (bytes.length === 0) return bytes;
  const start = (at < 0 ? Math.max(0, bytes.length + at) : at) % bytes.length;
  const source = what === "splice" ? other : bytes;
  const begin = from % source.length;
  const part = source.subarray(begin, begin + length);
  if (what === "cut") return bytes.subarray(0, start);
  if (what === "remove") return concat([bytes.subarray(0, start), bytes.subarray(start + length)]);
  if (what === "repeat") return concat([bytes.subarray(0, start), part, bytes.subarray(start)]);
  const changed = bytes.slice();
  if (what === "splice") changed.set(part.subarray(0, changed.length - start), start);
  else if (what === "bytes") changed.fill(value, start, start + width);
  else {
    const places = new DataView(new ArrayBuffer(8));
    // A number of 64 bits is a small one, or all ones.
    if (width === 8) places.setBigInt64(0, BigInt(value === 2 ** 32 - 1 ? -1 : value), isLittle);
    else if (width === 4) places.setUint32(0, value, isLittle);
    else if (width === 2) places.setUint16(0, value, isLittle);
    else places.setUint8(0, value);
    changed.set(new Uint8Array(places.buffer, 0, Math.min(width, changed.length - start)), start);
  }
  return changed;
}

/** Stand in JSON for what no value can be written as: nested deeper than a stack, and longer than a screen. */
const [deep, long] = ["@deep", "@long"];
const deepText = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
const longText = JSON.stringify("x".repeat(100_000));

const wrongValue = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<unknown>(-1, 0, 0.5, 1e6, 1e8, 2 ** 31, 2 ** 53, 1e308, "", null, true, [], {}, [1, 1]),
  },
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>("__proto__", "constructor", "8x4", "1..9x3", "1..2", "2".repeat(400)),
  },
);

const jsonEdit = fc.record({
  what: fc.constantFrom("replace", "replace", "remove", "rename", "copy"),
  at: fc.nat(),
  from: fc.nat(),
  value: wrongValue,
  name: fc.oneof(fc.constantFrom("__proto__", "constructor", "toString", "length", "", "0"), fc.string()),
});

type Values = Record<string, unknown>;

/** A JSON text of which up to four values are others, missing, elsewhere or under another name. */
export function damagedJson(values: readonly unknown[]): fc.Arbitrary<string> {
  const extremes = fc.tuple(fc.nat(99), fc.nat(), fc.constantFrom(deep, long));
  return fc
    .tuple(fc.constantFrom(...values), fc.array(jsonEdit, { maxLength: 4 }), extremes)
    .map(([value, edits, [share, at, extreme]]) => {
      const root = { "": structuredClone(value) };
      for (const { what, at, from, value, name } of edits) {
        const places = placesIn(root);
        const [parent, key] = places[at % places.length];
        if (what === "remove" && parent !== root) delete parent[key];
        else if (what === "rename" && !Array.isArray(parent) && parent !== root) {
          parent[name] = parent[key];
          delete parent[key];
        } else {
          const [other, otherKey] = places[from % places.length];
          parent[key] = structuredClone(what === "copy" ? other[otherKey] : value);
        }
      }
      if (share > 0) return JSON.stringify(root[""]);
      const places = placesIn(root);
      const [parent, key] = places[at % places.length];
      parent[key] = extreme;
      return JSON.stringify(root[""]).replace(`"${deep}"`, deepText).replace(`"${long}"`, longText);
    });
}

/** Every value within, as who holds it and under which name. */
function placesIn(root: Values): [Values, string][] {
  const places: [Values, string][] = [];
  const visit = (parent: Values) => {
    for (const key of Object.keys(parent)) {
      places.push([parent, key]);
      if (typeof parent[key] === "object" && parent[key] !== null) visit(parent[key] as Values);
    }
  };
  visit(root);
  return places;
}

/** Texts of which up to three characters, or runs of them, are others, missing or stand twice. */
export function damagedText(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const wrong = fc.tuple(
    fc.nat(),
    fc.nat(8),
    fc.oneof(fc.string({ maxLength: 4 }), fc.string({ unit: "binary", maxLength: 2 })),
  );
  return fc.tuple(texts, fc.array(wrong, { maxLength: 3 })).map(([text, changes]) =>
    changes.reduce((changed, [place, length, piece]) => {
      const at = place % (changed.length + 1);
      return changed.slice(0, at) + piece + changed.slice(at + length);
    }, text),
  );
}
