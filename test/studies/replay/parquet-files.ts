// Parquet files for tests, as DuckDB writes them: Weir itself only reads.
interface DuckDb {
  readonly DuckDBInstance: {
    readonly create: (path: string) => Promise<{
      readonly connect: () => Promise<{
        readonly run: (sql: string) => Promise<unknown>;
        readonly closeSync: () => void;
      }>;
      readonly closeSync: () => void;
    }>;
  };
}

/** Such as the rows of `SELECT ... FROM 'api.ndjson'`. */
export async function writeParquet(file: string, select: string): Promise<void> {
  const name: string = "@duckdb/node-api"; // optional for compilers too
  const { DuckDBInstance } = (await import(name)) as DuckDb;
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}
