import assert from "node:assert/strict";
import { tableFromArrays } from "apache-arrow";
import { it } from "vitest";
import { chartOf, describeValue, membersOf, rankNames } from "../../../src/components/cells/values.js";
import { columnsOf } from "../../../src/components/tables/columnsOf.js";

const table = tableFromArrays({ name: ["a", "b"], step: Float32Array.of(1, 2), loss: Float32Array.of(3, 4) });

it("a summary describes a value by its type and its names", () => {
  assert.equal(describeValue(table), "table of 2 rows: name, step, loss");
  assert.equal(describeValue([{ x: 1, y: 2 }]), "array of 1: x, y");
  assert.equal(describeValue(new Float32Array(1200)), "Float32Array of 1,200 numbers");
  assert.equal(describeValue({ step: 1, psnr: 20 }), "{step, psnr}");
  assert.equal(describeValue("x".repeat(100)).length, 59);
  assert.equal(describeValue(undefined), "no value yet");
});

it("members are those of a value and of its class, without those of Object", () => {
  class Run {
    step = 1;
    get latest() {
      return 2;
    }
  }
  assert.deepEqual(membersOf(new Run()), ["step", "latest"]);
  assert.ok(membersOf(table).includes("numRows"));
  assert.ok(membersOf("text").includes("slice"));
  assert.deepEqual(membersOf(null), []);
});

it("completions begin with the names of the page's cells, and describe them", () => {
  const ranked = rankNames(["Plot", "d3", "metrics"], new Map([["metrics", table]]));
  const [first, ...others] = ranked.toSorted((a, b) => b.boost - a.boost);
  assert.deepEqual(first, { label: "metrics", detail: "table of 2 rows: name, step, loss", boost: 99 });
  assert.deepEqual(
    others.map(({ label }) => label),
    ["Plot", "d3"],
  );
});

it("a chart shows the page's blobs, or else the first table with two columns of numbers", () => {
  const blobs = tableFromArrays({ center_x_decoded: Float32Array.of(1), center_y_decoded: Float32Array.of(2) });
  const values = new Map<string, unknown>(Object.entries({ metrics: table, parameters: blobs }));
  assert.match(chartOf(values), /dot\(parameters, \{x: "center_x_decoded"/);
  const others = new Map<string, unknown>([
    ["rate", 0.1],
    ["rows", [{ a: "x", b: 1 }]],
    ["metrics", table],
  ]);
  assert.match(chartOf(others), /Plot\.dot\(metrics, \{x: "step", y: "loss", tip: true\}\)/);
  assert.match(chartOf(new Map()), /^Plot\.lineY\(\[/);
  assert.deepEqual(columnsOf(others.get("rows")), ["a", "b"]);
});
