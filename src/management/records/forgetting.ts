// The log of changes does not grow for ever. Whoever follows it and finds that a change has gone reads all anew, and the
// newest one always stays. Uses of tokens are in it too: whoever only reads must not make a change be forgotten, so these
// have bounds of their own.
import { sql, type Kysely } from "kysely";
import type { Statement } from "./apply.ts";
import { AUDIT_KINDS, type AuditEntries, type AuditKind, type RecordBounds } from "./bounds.ts";
import type { Tables } from "./tables.ts";

/** What is older goes. */
const LONGEST_US = 90 * 86_400_000_000;

/** Looked for again after so many entries, because a look costs more than one of them. */
export const MOST_AT_ONCE = 1_000;

/** Of the bytes that the log may have, uses have this part. */
const PART_OF_USES = 1 / 8;

/** What is told of a token that was shown, by its operation: no record has changed but for when that was. */
export const USE = "use ";
export const REFUSAL = "refuse ";

const isUse = sql<boolean>`(family = 'tokens' and (what like ${sql.lit(`${USE}%`)} or what like ${sql.lit(`${REFUSAL}%`)}))`;
const isChange = sql<boolean>`(not ${isUse})`;

export const IS: Readonly<Record<AuditKind, typeof isUse>> = { changes: isChange, uses: isUse };

const BYTES = sql<number>`(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0))`;

/**
 * Of the oldest so many, what may go, and more where all of it has more bytes than it may. More may go than come, so that
 * it becomes less even where much has gathered.
 */
export const forgetting = (
  db: Kysely<Tables>,
  nowUs: number,
  most: number,
  { auditBytes, auditEntries }: RecordBounds,
): readonly Statement[] =>
  AUDIT_KINDS.map((kind) => {
    const part = kind === "uses" ? PART_OF_USES : 1 - PART_OF_USES;
    const bytes = Math.floor(auditBytes * part);
    return forgettingOf(db, kind, nowUs, most, { ...auditEntries[kind], bytes });
  });

function forgettingOf(
  db: Kysely<Tables>,
  kind: AuditKind,
  nowUs: number,
  most: number,
  kept: AuditEntries & { readonly bytes: number },
): Statement {
  const all = sql`(select count(*) as entries, coalesce(sum(${BYTES}), 0) as bytes from audit where ${IS[kind]})`;
  const query = db.deleteFrom("audit").where("seq", "in", (from) =>
    from
      .selectFrom((of) =>
        of
          .selectFrom((each) =>
            each
              .selectFrom("audit")
              .select(["seq", "at_us", BYTES.as("bytes")])
              .where(IS[kind])
              .orderBy("seq")
              .limit(most)
              .as("some"),
          )
          .select([
            "seq",
            "at_us",
            sql<number>`row_number() over (order by seq)`.as("entries_until"),
            sql<number>`sum(bytes) over (order by seq)`.as("bytes_until"),
          ])
          .as("oldest"),
      )
      .innerJoin(all.as<"whole">("whole"), (join) => join.onTrue())
      .select("seq")
      .where("seq", "<", sql<number>`(select max(seq) from audit)`)
      .where(
        sql<boolean>`(entries_until <= entries - ${sql.lit(kept.fewest)}
          and (at_us < ${nowUs - LONGEST_US} or entries_until <= entries - ${sql.lit(kept.most)})
          or bytes_until <= whole.bytes - ${sql.lit(kept.bytes)})`, // without it there is still too much
      ),
  );
  const { sql: text, parameters } = query.compile();
  return { sql: text, parameters };
}
