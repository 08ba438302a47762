// DuckDB, which the first SQL cell loads.
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);
createReadStream(resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm")).pipe(process.stdout);
