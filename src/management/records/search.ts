// Texts that hold a part: by an index of all their letters, three in a row, where the part has that many.
import { sql, type RawBuilder } from "kysely";
import type { Dialect } from "./migrations.ts";

const SHORTEST_INDEXED = 3;

/** As a database counts them: one outside the basic plane is one. */
const lettersIn = (text: string): number => Array.from(text).length;

export function holding(text: string, dialect: Dialect): RawBuilder<boolean> {
  const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  if (dialect === "postgres") return sql<boolean>`text like ${`%${literal}%`}`;
  return lettersIn(text) < SHORTEST_INDEXED
    ? sql<boolean>`instr(text, ${text}) > 0`
    : sql<boolean>`row in (select rowid from texts where texts match ${`"${text.replaceAll('"', '""')}"`})`;
}
