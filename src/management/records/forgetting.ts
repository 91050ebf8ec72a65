// The log of changes does not grow for ever. Whoever follows it and finds that a change has gone reads all anew, and the
// newest one always stays.
import { sql, type Kysely } from "kysely";
import type { Statement } from "./apply.ts";
import type { Tables } from "./tables.ts";

/** What is older goes. */
const LONGEST_US = 90 * 86_400_000_000;
/** But as many as this stay, however old. */
const FEWEST = 100_000;
/** And no more than this, however new. */
const MOST = 1_000_000;

/** Looked for again after so many changes, because a look costs more than one of them. */
export const MOST_AT_ONCE = 1_000;

/** Of the oldest so many, what may go. More may go than come, so that it becomes less even where much has gathered. */
export function forgetting(db: Kysely<Tables>, nowUs: number, most: number): Statement {
  const latest = sql<number>`(select max(seq) from audit)`;
  const query = db.deleteFrom("audit").where("seq", "in", (from) =>
    from
      .selectFrom((of) =>
        of.selectFrom("audit").select(["seq", "at_us"]).orderBy("seq").limit(most).as("oldest"),
      )
      .select("seq")
      .where("seq", "<=", sql<number>`${latest} - ${sql.lit(FEWEST)}`)
      .where((is) =>
        is.or([
          is("at_us", "<", nowUs - LONGEST_US),
          is("seq", "<=", sql<number>`${latest} - ${sql.lit(MOST)}`),
        ]),
      ),
  );
  const { sql: text, parameters } = query.compile();
  return { sql: text, parameters };
}
