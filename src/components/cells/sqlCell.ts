/** The name of `showQuery` in an SQL cell's body. */
export const queryName = "showQuery";

/** How an SQL cell calls it in a page's Markdown. */
export const queryInPage = `(await import("/components/cells/sqlQuery.js")).${queryName}`;

/** A name and where it starts. */
interface Name {
  name: string;
  from: number;
}

interface SqlCell {
  /** The query, with the lines and columns of the cell. */
  query: string;
  /** The name of the result: that of `CREATE TABLE name AS` at the start. */
  output: Name | undefined;
  /** The tables that it reads from other cells, at each place. */
  tables: Name[];
}

const identifier = String.raw`"?([A-Za-z_$][\w$]*)"?`;
const createdTable = new RegExp(
  String.raw`^(\s*create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?table\s+)${identifier}\s+as\b`,
  "i",
);
const commonTable = new RegExp(
  String.raw`(?:\bwith(?:\s+recursive)?|,)\s*${identifier}\s*(?:\([^()]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(`,
  "gi",
);
const tableList = new RegExp(
  String.raw`(?<!\bdistinct\s+)\b(?:from|join)\s+(${identifier}(?:(?:\s+(?:as\s+)?\w+)?\s*,\s*${identifier})*)`,
  "gi",
);
const listedTable = new RegExp(String.raw`(?<=^|,)\s*${identifier}`, "g");

/** Returns what an SQL cell reads and declares. Other names, such as functions and columns, are those of DuckDB. */
export function readSql(source: string): SqlCell {
  // Blank out comments and texts.
  const code = source.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g, (text) => text.replace(/[^\n]/g, " "));
  const created = createdTable.exec(code);
  const output = created ? { name: created[2], from: code.indexOf(created[2], created[1].length) } : undefined;
  const start = created?.[0].length ?? 0;
  const query = source.slice(0, start).replace(/\S/g, " ") + source.slice(start);
  const own = new Set(Array.from(code.matchAll(commonTable), ([, name]) => name.toLowerCase()));
  const names = Array.from(code.matchAll(tableList)).flatMap(({ 0: text, 1: list, index }) =>
    Array.from(list.matchAll(listedTable), ({ 0: item, 1: name, index: at }) => ({
      name,
      from: index + text.length - list.length + at + item.indexOf(name),
    })),
  );
  // Functions and schemas are DuckDB's.
  const isTable = ({ name, from }: Name) =>
    !own.has(name.toLowerCase()) && !/^"?\s*[.(]/.test(code.slice(from + name.length));
  return { query, output, tables: names.filter(isTable) };
}

/**
 * Returns an SQL cell as a script, which shows the result as a table.
 * @param call calls `showQuery`
 */
export function sqlScript(source: string, call = queryName): string {
  const { query, output, tables } = readSql(source);
  const names = [...new Set(tables.map(({ name }) => name))];
  const result = `await ${call}(${JSON.stringify(query)}, {${names.join(", ")}}, display)`;
  return output ? `const ${output.name} = ${result};` : result;
}
