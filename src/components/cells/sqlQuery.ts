import { FileAttachment } from "observablehq:stdlib";
import { AsyncDuckDB, type AsyncDuckDBConnection, VoidLogger } from "@duckdb/duckdb-wasm";
import { type Table, tableToIPC } from "apache-arrow";
import { SerialQueue } from "../../engine/serialQueue.js";
import { isTable } from "../tables/columnsOf.js";
import { table } from "../tables/table.js";
import { CellError } from "./cellError.js";

/**
 * Returns the result of a query in DuckDB, and shows it as a table.
 * @param tables by the names in the query: Arrow tables, or arrays of objects
 * @throws CellError with the line
 */
export async function showQuery(
  query: string,
  tables: Record<string, unknown>,
  display: (node: Node) => void,
): Promise<Table> {
  const result = await queue.run(() => run(query, tables));
  display(table(result));
  return result;
}

const queue = new SerialQueue();
let opened: { database: AsyncDuckDB; connection: AsyncDuckDBConnection } | undefined;

/** Runs a query. Its tables exist during the query only, so cells cannot depend on each other without declaring it. */
async function run(query: string, tables: Record<string, unknown>): Promise<Table> {
  if (!/\S/.test(query)) throw new CellError("An SQL cell needs a query, such as SELECT * FROM parameters.");
  opened ??= await open();
  const { database, connection } = opened;
  await connection.query("BEGIN TRANSACTION");
  try {
    for (const [name, value] of Object.entries(tables)) await insert(database, connection, name, value);
    return await connection.query(query);
  } catch (error) {
    throw queryError(error as Error);
  } finally {
    await connection.query("ROLLBACK").catch(() => {});
  }
}

async function insert(database: AsyncDuckDB, connection: AsyncDuckDBConnection, name: string, value: unknown) {
  if (isTable(value)) {
    return connection.insertArrowFromIPCStream(tableToIPC(value as unknown as Table, "stream"), { name });
  }
  if (!Array.isArray(value) || !value.every(isObject)) {
    throw new CellError(`${name} is not a table: it must be an Arrow table or an array of objects.`);
  }
  if (value.length === 0) throw new CellError(`${name} has no rows, so its columns are not known.`);
  const file = `${name}.json`;
  await database.registerFileText(file, JSON.stringify(value.map((row) => plainValues(row))));
  await connection.insertJSONFromPath(file, { name });
  await database.dropFile(file);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Returns the values of an object that a column can have: numbers, texts and booleans, also those of plain objects in it. */
function plainValues(row: object, depth = 2): object {
  const entries = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || ["number", "string", "boolean"].includes(typeof value)) return [[name, value]];
    const isPlain = isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
    return isPlain && depth > 1 ? [[name, plainValues(value, depth - 1)]] : [];
  });
  return Object.fromEntries(entries);
}

/** Seconds without progress after which starting has failed. A browser may never report that it refuses WebAssembly. */
const patience = 60;

async function open(): Promise<NonNullable<typeof opened>> {
  const worker = new Worker(FileAttachment("duckdbWorker.js").href);
  const database = new AsyncDuckDB(new VoidLogger(), worker);
  try {
    await new Promise<unknown>((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout>;
      const wait = () => {
        clearTimeout(timer);
        const sentence = `DuckDB did not start: nothing happened for ${patience} seconds. Run the cell again to retry.`;
        timer = setTimeout(() => reject(new CellError(sentence)), 1000 * patience);
      };
      wait();
      worker.addEventListener("error", () => reject(new CellError("DuckDB did not start: its worker did not load.")));
      database
        .instantiate(FileAttachment("duckdb.wasm").href, null, wait)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
    await database.open({ query: { castBigIntToDouble: true, castDecimalToDouble: true, castTimestampToDate: true } });
    const connection = await database.connect();
    for (const setting of [
      "autoinstall_known_extensions = false",
      "autoload_known_extensions = false",
      "enable_external_access = false",
      "lock_configuration = true",
    ]) {
      await connection.query(`SET ${setting}`);
    }
    return { database, connection };
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

/** Returns DuckDB's error with the place that it marks, which it writes below the message. */
function queryError(error: Error): CellError {
  if (error instanceof CellError) return error;
  const [message, ...marks] = error.message.split(/\n+(?=LINE \d+: )/);
  const [, head, line, caret] = /^(LINE (\d+): )(?!\.\.\.).*\n( *)\^/.exec(marks[0] ?? "") ?? [];
  const sentence = message
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replace(/([^.?!])$/, "$1.");
  return new CellError(sentence, line ? { line: Number(line), column: caret.length - head.length + 1 } : undefined);
}
