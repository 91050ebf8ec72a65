// Rows of a Parquet file or of a SELECT, as lines. DuckDB, an optional package that is loaded when needed, reads them.
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { installLine } from "../../kit/command-line.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { blockOf, type OpenLog } from "./line-blocks.node.ts";
import { ROW_SEPARATOR, RowError } from "./row-format.ts";

/** An optional package is needed, and is not installed. */
export class MissingPart extends Failure {}

export type RowSource = { readonly file: string } | { readonly sql: string };

export interface OpenRows extends OpenLog {
  readonly columns: readonly string[];
}

/** The part of DuckDB that Weir uses. With DuckDB's own types, compiling Weir would require the package. */
interface DuckDb {
  readonly DuckDBInstance: {
    readonly create: (path: string, settings: Record<string, string>) => Promise<Instance>;
  };
}
interface Instance {
  readonly connect: () => Promise<Connection>;
  readonly closeSync: () => void;
}
interface Connection {
  readonly run: (sql: string) => Promise<unknown>;
  readonly stream: (sql: string) => Promise<Rows>;
  readonly extractStatements: (sql: string) => Promise<{
    readonly count: number;
    readonly prepare: (index: number) => Promise<{ readonly statementType: number }>;
  }>;
  readonly interrupt: () => void;
  readonly closeSync: () => void;
}
interface Rows {
  readonly columnNames: () => readonly string[];
  readonly columnTypes: () => readonly ColumnType[];
  readonly fetchChunk: () => Promise<Chunk | null>;
}
interface Chunk {
  readonly rowCount: number;
  readonly getColumnValues: (column: number) => readonly string[];
}
interface ColumnType {
  readonly typeId: number;
  readonly entryNames?: readonly string[]; // fields of a STRUCT
  readonly entryTypes?: readonly ColumnType[];
}

const PACKAGE = "@duckdb/node-api";
const SELECT = 1;
const TIMESTAMP_WITH_ZONE = 31;
const LAST_NUMBER = 16; // types up to this are numbers and usual times, which need no quotes
const HEAD_ROWS = 20;

/** These settings forbid downloads, and no statement can change that. */
const SETTINGS = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
};

async function load(): Promise<DuckDb | Failure> {
  try {
    const name: string = PACKAGE; // not a literal, so that compilers do not resolve the package
    return (await import(name)) as DuckDb;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return new MissingPart(
      code === "ERR_MODULE_NOT_FOUND"
        ? `Parquet and --sql need the package ${PACKAGE}: ${installLine(PACKAGE)}`
        : `the package ${PACKAGE} cannot be loaded: ${reasonIn(message)}`,
    );
  }
}

/** Opens rows. `stop` interrupts a running query. Columns outside `wanted` are empty and not read. */
export async function openRows(
  source: RowSource,
  stop: Promise<unknown>,
  wanted: readonly string[] | null,
): Promise<OpenRows | Failure> {
  const duckDb = await load();
  if (isFailure(duckDb)) return duckDb;
  const instance = await duckDb.DuckDBInstance.create(":memory:", {
    ...SETTINGS,
    temp_directory: join(tmpdir(), `weir-${randomUUID()}`), // the default would be the current folder
  });
  const connection = await instance.connect();
  let isOpen = true;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    connection.closeSync();
    instance.closeSync();
  };
  void stop.then(() => (isOpen ? connection.interrupt() : undefined));
  try {
    const rejected = "sql" in source ? await whyNoSelect(connection, source.sql) : null;
    if (rejected !== null) {
      end();
      return new Failure(rejected);
    }
    await connection.run("SET TimeZone = 'UTC'");
    await connection.run("SET lock_configuration = true");
    const total = await bindRows(connection, source);
    const none = await connection.stream("SELECT * FROM weir_rows LIMIT 0");
    const names = none.columnNames();
    const fields = none.columnTypes().flatMap((type, at) => fieldsOf([names[at]!], type));
    const texts = fields.map((field) =>
      wanted?.includes(columnOf(field)) === false ? SEPARATOR_TEXT : fieldText(field),
    );
    const rows = await connection.stream(`SELECT ${texts.join(" || ")} FROM weir_rows`);
    const first = await nextLines(rows);
    return {
      columns: fields.map(columnOf),
      isPlain: false,
      head: first.slice(0, HEAD_ROWS).map((line) => Buffer.from(line)),
      blocks: blocksOf(first, rows, total, end),
      close: () => Promise.resolve(end()),
    };
  } catch (error) {
    end();
    const { message } = error as Error;
    return new Failure(
      message.startsWith("INTERRUPT")
        ? "interrupted before its first row"
        : explain(source, message),
    );
  }
}

/**
 * Makes the rows available as weir_rows and counts them, because an error in a stream looks like the end of the stream.
 * A SELECT is computed before its rows are read; what does not fit into memory goes to temporary files.
 */
async function bindRows(connection: Connection, source: RowSource): Promise<number> {
  let rows = "weir_rows";
  let count = "count(*)";
  if ("sql" in source) await connection.run(`CREATE TEMP TABLE weir_rows AS ${source.sql}`);
  else {
    const file = parquetText(source.file);
    await connection.run(
      `CREATE TEMP VIEW weir_rows AS FROM read_parquet(${file}, hive_partitioning = false)`,
    );
    rows = `parquet_file_metadata(${file})`;
    count = "sum(num_rows)";
  }
  const counted = await connection.stream(`SELECT (${count})::VARCHAR FROM ${rows}`);
  return Number((await nextLines(counted))[0]);
}

const explain = (source: RowSource, message: string): string =>
  "sql" in source
    ? `DuckDB: ${reasonIn(message)}`
    : `DuckDB cannot read this Parquet file: ${reasonIn(message).replaceAll(resolve(source.file), source.file)}; copy it again if it was cut off`;

/** Removes the lines that show a position in the statement: it is wrong, because Weir has added text before it. */
const reasonIn = (message: string): string =>
  message
    .replace(/^Failed to extract statements: /, "")
    .split("\n\n")[0]!
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");

/** Why a text is not a single SELECT; null: it is. Weir puts the text into CREATE TABLE ... AS. */
async function whyNoSelect(connection: Connection, sql: string): Promise<string | null> {
  const only = "it must be one SELECT, such as SELECT ts AS time, ip FROM 'logs/*.parquet'";
  if (sql.replaceAll(/--.*|[\s;]/g, "") === "") return `${only}; it is empty`;
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) return `${only}; it has ${statements.count} statements`;
  const { statementType } = await statements.prepare(0);
  return statementType === SELECT ? null : `${only}; other statements are not executed`;
}

/** A path as SQL text: absolute, so that it is no URL, and with wildcards escaped. */
const parquetText = (file: string): string =>
  `'${resolve(file).replaceAll(/[[*?]/g, "[$&]").replaceAll("'", "''")}'`;

interface RowField {
  readonly path: readonly string[]; // names of nested fields
  readonly type: ColumnType;
}

const fieldsOf = (path: readonly string[], type: ColumnType): readonly RowField[] =>
  type.entryNames?.flatMap((name, at) => fieldsOf([...path, name], type.entryTypes![at]!)) ?? [
    { path, type },
  ];

const columnOf = ({ path }: RowField): string => path.join(".");

const SEPARATOR_TEXT = `chr(${ROW_SEPARATOR.charCodeAt(0)})`;

/** SQL for the text of a value and a separator. NULL becomes empty, like a missing field of other logs. */
function fieldText({ path, type }: RowField): string {
  const value = `weir_rows.${path.map((name) => `"${name.replaceAll('"', '""')}"`).join(".")}::VARCHAR`;
  const { typeId } = type;
  const text =
    typeId === TIMESTAMP_WITH_ZONE
      ? `replace(${value}, '+00', 'Z')`
      : typeId <= LAST_NUMBER
        ? value
        : quoteText(value);
  return `coalesce(${text}, '') || ${SEPARATOR_TEXT}`;
}

/** Quotes a value as in CSV, because it may have a separator. Line breaks become blanks. */
function quoteText(value: string): string {
  const line = `translate(${value}, chr(10) || chr(13), '  ')`;
  const isQuoted = ["9", "10", "13"].map((sign) => `contains(${value}, chr(${sign}))`).join(" OR ");
  return `CASE WHEN starts_with(${value}, '"') OR ${isQuoted} THEN '"' || replace(${line}, '"', '""') || '"' ELSE ${value} END`;
}

/** Reads more lines; an empty list: there are no more. */
async function nextLines(rows: Rows): Promise<readonly string[]> {
  const chunk = await rows.fetchChunk();
  return chunk === null || chunk.rowCount === 0 ? [] : chunk.getColumnValues(0);
}

async function* blocksOf(
  first: readonly string[],
  rows: Rows,
  total: number,
  end: () => void,
): OpenLog["blocks"] {
  let read = 0;
  try {
    for (let lines = first; lines.length > 0; lines = await nextLines(rows)) {
      read += lines.length;
      yield blockOf(Buffer.from(`${lines.join("\n")}\n`));
    }
  } finally {
    end();
  }
  if (read < total)
    throw new RowError(
      `DuckDB can read only ${read.toLocaleString("en-US")} of its ${total.toLocaleString("en-US")} rows`,
    );
}
