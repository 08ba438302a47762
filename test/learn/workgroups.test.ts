import assert from "node:assert/strict";
import { it } from "vitest";
import { uniformGenerator } from "../../src/engine/random.js";
import { describeStep, recordAdds, recordWorkgroup, threadsOf } from "../../src/learn/workgroups.js";

it("recordAdds() loses all additions but one per group that loads at once", () => {
  const ends = [1, 8, 32].map((lanes) => recordAdds(32, lanes).at(-1));
  assert.deepEqual(
    ends.map((row) => [row?.step, row?.counter]),
    [
      [64, 32],
      [64, 4],
      [64, 1],
    ],
  );
});

it("recordWorkgroup() lets no thread read before all have appended, unless there is no barrier", () => {
  const random = uniformGenerator(5);
  let early = 0;
  for (let trial = 0; trial < 20; trial++) {
    const waited = recordWorkgroup(32, 8, true, random);
    const lastAppend = Math.max(...waited.rows.map(({ appended }) => appended));
    for (const { thread, read, value } of waited.rows) {
      assert.ok(read > lastAppend);
      assert.equal(waited.rows[value!].slot, thread);
    }
    assert.match(describeStep(waited, 4), /All have arrived: the barrier opens\.$/);
    const raced = recordWorkgroup(32, 8, false, random);
    const wrong = raced.rows.filter(({ read, thread, value }) => {
      const writer = raced.rows.find(({ slot }) => slot === thread)!;
      return value !== (writer.appended < read ? writer.thread : undefined);
    });
    assert.deepEqual(wrong, []);
    early += raced.rows.filter(({ value }) => value === undefined).length;
  }
  assert.ok(early > 0);
});

it("threadsOf() numbers the pixels of a tile row by row, and marks those beyond the edge", () => {
  const threads = threadsOf(5, [8, 4], { width: 44, height: 26 });
  assert.deepEqual(threads[13], { thread: 173, localIndex: 13, pixel: { x: 45, y: 1 }, inside: false });
  assert.equal(threads.filter(({ inside }) => inside).length, 16);
});
