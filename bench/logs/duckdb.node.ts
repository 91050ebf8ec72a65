// A control of the suite logs: DuckDB's reader of CSV counts the requests of each client of the same file, whose columns
// are separated by spaces. By processor time of all of its threads.
import { join } from "node:path";
import { leaveOut, printValue, processorMs, readInput } from "../program.node.ts";

const PACKAGE: string = "@duckdb/node-api"; // no literal: it is optional

interface DuckDb {
  readonly DuckDBInstance: {
    readonly create: () => Promise<{ readonly connect: () => Promise<Connection> }>;
  };
}
interface Connection {
  readonly runAndReadAll: (sql: string) => Promise<{ readonly getRows: () => unknown[][] }>;
}

const { folder, lines } = readInput() as { readonly folder: string; readonly lines: number };
const name = join(folder, "access.log").replaceAll("'", "''");
const { DuckDBInstance } = (await import(PACKAGE).catch(() =>
  leaveOut(`${PACKAGE} is not installed; install it by npm i ${PACKAGE}`),
)) as DuckDb;
const connection = await (await DuckDBInstance.create()).connect();
const columns = Array.from(
  { length: 10 },
  (_, index) => `'column0${index}': '${index === 2 ? "DOUBLE" : "VARCHAR"}'`, // the third one is the time
).join(", ");
const startMs = processorMs();
const result = await connection.runAndReadAll(
  `SELECT sum(requests)::DOUBLE, max(latest) FROM (
    SELECT column00, count(*) AS requests, max(column02) AS latest
    FROM read_csv('${name}', delim=' ', quote='"', header=false, auto_detect=false, columns={${columns}})
    GROUP BY column00)`,
);
const tookMs = processorMs() - startMs;
const [[requests] = []] = result.getRows();
if (requests !== lines) throw new Error(`${String(requests)} of ${lines} lines are requests`);
printValue(lines / tookMs / 1000);
