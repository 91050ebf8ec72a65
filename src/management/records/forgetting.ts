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

const BYTES = sql<number>`(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0))`;

/**
 * Of the oldest so many, what may go, and more where all of it has more than `mostBytes`. More may go than come, so that
 * it becomes less even where much has gathered.
 */
export function forgetting(
  db: Kysely<Tables>,
  nowUs: number,
  most: number,
  mostBytes: number,
): Statement {
  const latest = sql<number>`(select max(seq) from audit)`;
  const query = db.deleteFrom("audit").where("seq", "in", (from) =>
    from
      .selectFrom((of) =>
        of
          .selectFrom((all) =>
            all
              .selectFrom("audit")
              .select(["seq", "at_us", BYTES.as("bytes")])
              .orderBy("seq")
              .limit(most)
              .as("some"),
          )
          .select(["seq", "at_us", sql<number>`sum(bytes) over (order by seq)`.as("until")])
          .as("oldest"),
      )
      .select("seq")
      .where("seq", "<", latest)
      .where((is) =>
        is.or([
          is.and([
            is("seq", "<=", sql<number>`${latest} - ${sql.lit(FEWEST)}`),
            is.or([
              is("at_us", "<", nowUs - LONGEST_US),
              is("seq", "<=", sql<number>`${latest} - ${sql.lit(MOST)}`),
            ]),
          ]),
          // Without it there is still too much.
          is("until", "<=", sql<number>`(select sum(${BYTES}) from audit) - ${sql.lit(mostBytes)}`),
        ]),
      ),
  );
  const { sql: text, parameters } = query.compile();
  return { sql: text, parameters };
}
