// The records of a gateway for a command that runs beside it, or while it does not run.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { recordsInPostgres } from "../../management/records/postgres.node.ts";
import type { Records, Unopened } from "../../management/records/records.ts";
import { recordsInFile } from "../../management/records/sqlite.node.ts";
import type { Settings } from "../../settings/table.ts";

export async function recordsBeside(
  { records: where, data }: Settings,
  tell: (sentence: string) => void,
): Promise<Records | Unopened> {
  if (where === "off") return { fault: "records: off keeps nothing" };
  if (where === "memory")
    return {
      fault: "records: memory keeps everything in the gateway itself, where no command gets",
    };
  if (where !== "sqlite") return recordsInPostgres(where, { tell });
  const file = join(data, "weir.db");
  if (!existsSync(file)) return { fault: `${file} is not there yet: weir serve makes it` };
  return recordsInFile(file, { tell, isBeside: true });
}
