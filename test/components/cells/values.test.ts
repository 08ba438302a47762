import assert from "node:assert/strict";
import { tableFromArrays } from "apache-arrow";
import { it } from "vitest";
import { chartOf, membersOf } from "../../../src/components/cells/values.js";
import { columnsOf } from "../../../src/components/tables/columnsOf.js";

const table = tableFromArrays({ name: ["a", "b"], step: Float32Array.of(1, 2), loss: Float32Array.of(3, 4) });

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
