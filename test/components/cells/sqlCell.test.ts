import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { runInNewContext } from "node:vm";
import { transform } from "sucrase";
import { describe, it } from "vitest";
import { placesOf, renameAt } from "../../../src/components/cells/places.js";
import { readSql, sqlScript } from "../../../src/components/cells/sqlCell.js";
import { transpileCell } from "../../../src/components/cells/transpile.js";

const stripTypes = async (source: string) => transform(source, { transforms: ["typescript"] }).code;
const tablesOf = (source: string) => readSql(source).tables.map(({ name }) => name);

describe("an SQL cell", () => {
  for (const [source, tables] of [
    ["SELECT * FROM parameters LIMIT 10", ["parameters"]],
    [
      "select a.x from one a, two as b left join three using (blob) where a.y in (select y from four)",
      ["one", "two", "three", "four"],
    ],
    [
      "WITH heavy AS (SELECT * FROM parameters), few(x) AS MATERIALIZED (FROM heavy) SELECT * FROM few JOIN Heavy h",
      ["parameters"],
    ],
    ["SELECT 'from one' -- from two\nFROM three /* join\nfour */ WHERE t = 'it''s from five'", ["three"]],
    ["SELECT * FROM range(10), duckdb_settings() JOIN information_schema.tables WHERE a IS DISTINCT FROM b", []],
    ['FROM "parameters" ORDER BY red, blue', ["parameters"]],
  ] as const) {
    it(`reads the tables ${tables.join(", ") || "of DuckDB only"}: ${source.split("\n")[0].slice(0, 30)}`, () => {
      assert.deepEqual(tablesOf(source), tables);
    });
  }

  it("declares the table that it creates, and keeps the positions of its query", async () => {
    const source =
      "-- The largest\nCREATE OR REPLACE TABLE heaviest AS\nSELECT * FROM parameters, metrics, parameters p";
    const { inputs, outputs, body } = await transpileCell(source, "sql", stripTypes);
    assert.deepEqual([inputs, outputs], [["showQuery", "parameters", "metrics", "display"], ["heaviest"]]);
    const shown: unknown[] = [];
    const showQuery = async (query: string, tables: object) => shown.push(query, tables) && "result";
    const cell = new Function(`return (${body});`)();
    assert.deepEqual(await cell(showQuery, 1, 2), { heaviest: "result" });
    assert.deepEqual(shown[1], { parameters: 1, metrics: 2 });
    const [comment, created, select] = (shown[0] as string).split("\n");
    assert.equal(comment.trim() + created.trim(), "");
    assert.equal(select, "SELECT * FROM parameters, metrics, parameters p");
  });

  it("without a name is an expression, the table of which is shown once", async () => {
    const { inputs, outputs } = await transpileCell("SELECT 1", "sql", stripTypes);
    assert.deepEqual([inputs, outputs], [["showQuery", "display"], []]);
    assert.equal(sqlScript("FROM a", "call"), 'await call("FROM a", {a}, display)');
  });

  it("has its tables and its name renamed", async () => {
    const source = "CREATE TABLE top AS SELECT 'top' FROM\n  blobs JOIN other";
    const places = await placesOf(source, "sql", stripTypes);
    assert.deepEqual(
      places.map(({ name, line, column }) => [name, line, column]),
      [
        ["top", 1, 14],
        ["blobs", 2, 3],
        ["other", 2, 14],
      ],
    );
    const renamed = renameAt(renameAt(source, places, "blobs", "many"), places, "top", "best");
    assert.equal(renamed, "CREATE TABLE best AS SELECT 'top' FROM\n  many JOIN other");
  });
});

it("DuckDB's worker requests only files of its own folder", async () => {
  const loader = "src/components/cells/duckdbWorker.js.ts";
  const code = execFileSync(process.execPath, ["--import", "tsx", loader], { encoding: "utf8", maxBuffer: 2 ** 24 });
  const requests: string[] = [];
  const location = { href: "https://blobs.example/_file/cells/worker.js" };
  const fetch = async (address: string) => requests.push(address);
  const scope = { location, URL, TypeError, fetch, XMLHttpRequest: Object, WebSocket: Object, importScripts: () => {} };
  const worker: typeof scope & { self?: object } = scope;
  worker.self = worker;
  runInNewContext(code.slice(0, code.indexOf("\n}\n") + 3), worker);
  await worker.fetch("duckdb.wasm");
  await worker.fetch({ url: "https://blobs.example/_file/cells/a.wasm" } as never);
  for (const address of ["https://example.com/a", "/_file/a", "../a", "data:,a", "blob:https://blobs.example/a"]) {
    await assert.rejects(worker.fetch(address), /is not a file of this site/);
  }
  assert.deepEqual(
    requests,
    ["duckdb.wasm", "a.wasm"].map((name) => `https://blobs.example/_file/cells/${name}`),
  );
  assert.deepEqual([worker.XMLHttpRequest, worker.WebSocket, worker.importScripts], [undefined, undefined, undefined]);
});
