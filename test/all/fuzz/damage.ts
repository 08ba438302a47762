import fc from "fast-check";
import { concat } from "../../../src/engine/concat.js";

/** Boundary values for lengths, counts and positions. */
const boundaries = [0, 1, 3, 7, 8, 15, 16, 24, 31, 32].flatMap((bits) => [2 ** bits - 1, 2 ** bits % 2 ** 32]);

const edit = fc.record({
  what: fc.constantFrom("bytes", "number", "number", "cut", "remove", "repeat", "splice"),
  // Heads and tails determine how the rest is read.
  at: fc.oneof(fc.nat(), fc.integer({ min: 0, max: 80 }), fc.integer({ min: -80, max: -1 })),
  from: fc.nat(),
  length: fc.integer({ min: 1, max: 48 }),
  value: fc.oneof(fc.constantFrom(...boundaries), fc.nat(), fc.nat(255)),
  width: fc.constantFrom(1, 2, 4, 8),
  isLittle: fc.boolean(),
});

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/**
 * Returns valid files with up to five errors: changed bytes and numbers, or ranges that are missing, repeated or from
 * another file.
 * @param mend in half of the cases, corrects what would end reading early, such as a checksum
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
  const sourceStart = from % source.length;
  const range = source.subarray(sourceStart, sourceStart + length);
  if (what === "cut") return bytes.subarray(0, start);
  if (what === "remove") return concat([bytes.subarray(0, start), bytes.subarray(start + length)]);
  if (what === "repeat") return concat([bytes.subarray(0, start), range, bytes.subarray(start)]);
  const changed = bytes.slice();
  if (what === "splice") changed.set(range.subarray(0, changed.length - start), start);
  else if (what === "bytes") changed.fill(value, start, start + width);
  else {
    const number = new DataView(new ArrayBuffer(8));
    // A 64-bit number is small, or all ones.
    if (width === 8) number.setBigInt64(0, BigInt(value === 2 ** 32 - 1 ? -1 : value), isLittle);
    else if (width === 4) number.setUint32(0, value, isLittle);
    else if (width === 2) number.setUint16(0, value, isLittle);
    else number.setUint8(0, value);
    changed.set(new Uint8Array(number.buffer, 0, Math.min(width, changed.length - start)), start);
  }
  return changed;
}

/** Placeholders for JSON that is nested too deep for the stack, and for a very long text. */
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

/** Returns JSON texts with up to four values changed, removed, moved or renamed. */
export function damagedJson(values: readonly unknown[]): fc.Arbitrary<string> {
  const extremes = fc.tuple(fc.nat(99), fc.nat(), fc.constantFrom(deep, long));
  return fc
    .tuple(fc.constantFrom(...values), fc.array(jsonEdit, { maxLength: 4 }), extremes)
    .map(([value, edits, [percent, at, extreme]]) => {
      const root = { "": structuredClone(value) };
      for (const { what, at, from, value, name } of edits) {
        const entries = entriesOf(root);
        const [parent, key] = entries[at % entries.length];
        if (what === "remove" && parent !== root) delete parent[key];
        else if (what === "rename" && !Array.isArray(parent) && parent !== root) {
          parent[name] = parent[key];
          delete parent[key];
        } else {
          const [other, otherKey] = entries[from % entries.length];
          parent[key] = structuredClone(what === "copy" ? other[otherKey] : value);
        }
      }
      if (percent > 0) return JSON.stringify(root[""]);
      const entries = entriesOf(root);
      const [parent, key] = entries[at % entries.length];
      parent[key] = extreme;
      return JSON.stringify(root[""]).replace(`"${deep}"`, deepText).replace(`"${long}"`, longText);
    });
}

/** Returns every value in a tree, as its parent and its key. */
function entriesOf(root: Values): [Values, string][] {
  const entries: [Values, string][] = [];
  const visit = (parent: Values) => {
    for (const key of Object.keys(parent)) {
      entries.push([parent, key]);
      if (typeof parent[key] === "object" && parent[key] !== null) visit(parent[key] as Values);
    }
  };
  visit(root);
  return entries;
}

/** Returns texts with up to three ranges changed or removed. */
export function damagedText(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const wrong = fc.tuple(
    fc.nat(),
    fc.nat(8),
    fc.oneof(fc.string({ maxLength: 4 }), fc.string({ unit: "binary", maxLength: 2 })),
  );
  return fc.tuple(texts, fc.array(wrong, { maxLength: 3 })).map(([text, changes]) =>
    changes.reduce((changed, [position, length, piece]) => {
      const at = position % (changed.length + 1);
      return changed.slice(0, at) + piece + changed.slice(at + length);
    }, text),
  );
}
