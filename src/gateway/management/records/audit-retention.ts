// Bounds the audit log. A gateway that has not read an entry before its removal reads all records again. The newest
// entry always stays. Uses of tokens have separate bounds, so that a client that only reads cannot push out changes.
import { sql, type Kysely } from "kysely";
import type { Statement } from "./apply.ts";
import {
  AUDIT_KINDS,
  REFUSAL,
  USE,
  type AuditEntries,
  type AuditKind,
  type RecordBounds,
} from "./bounds.ts";
import type { Tables } from "./tables.ts";

/** The largest age of an entry; older entries are removed. */
const LONGEST_US = 90 * 86_400_000_000;

/** A cleanup runs after this number of new entries, because it costs more than an entry. */
export const MOST_AT_ONCE = 1_000;

/** The share of the log's bytes for uses of tokens. */
const PART_OF_USES = 1 / 8;

const isUse = sql<boolean>`(family = 'tokens' and (what like ${sql.lit(`${USE}%`)} or what like ${sql.lit(`${REFUSAL}%`)}))`;
const isChange = sql<boolean>`(not ${isUse})`;

export const IS: Readonly<Record<AuditKind, typeof isUse>> = { changes: isChange, uses: isUse };

const BYTES = sql<number>`(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0))`;

/** The entries of one kind. */
interface AuditContent {
  readonly first: number; // number of its oldest entry
  readonly entries: number;
  readonly bytes: number;
}

interface AuditBound extends AuditEntries {
  readonly bytes: number;
}

export interface AuditLook {
  readonly nowUs: number;
  readonly most: number; // the most entries of each kind to remove
  readonly coming: readonly AuditKind[]; // kinds of the entries that the same write adds
}

/**
 * Builds statements that remove the oldest entries, `most` of each kind at most. More are removed than added, so that
 * an oversized log shrinks. Reads the log before the transaction of the write, so that no other write waits.
 */
export async function forgetting(
  db: Kysely<Tables>,
  look: AuditLook,
  { auditBytes, auditEntries }: RecordBounds,
): Promise<readonly Statement[]> {
  const { oldestUs, ...all } = await contentIn(db);
  const isOld = oldestUs < look.nowUs - LONGEST_US;
  return AUDIT_KINDS.flatMap((kind) => {
    const content = all[kind];
    if (content === null) return [];
    const part = kind === "uses" ? PART_OF_USES : 1 - PART_OF_USES;
    const bound: AuditBound = { ...auditEntries[kind], bytes: Math.floor(auditBytes * part) };
    const coming = look.coming.filter((each) => each === kind);
    const entries = content.entries + coming.length;
    const isTooMuch =
      entries > bound.most || content.bytes > bound.bytes || (isOld && entries > bound.fewest);
    return isTooMuch ? [forgettingOf(db, kind, look, { ...content, entries }, bound)] : [];
  });
}

/** Null: no entry of that kind. One query for all numbers, because the log may have a million entries. */
async function contentIn(
  db: Kysely<Tables>,
): Promise<Readonly<Record<AuditKind, AuditContent | null>> & { readonly oldestUs: number }> {
  const row = await db
    .selectFrom("audit")
    .select([
      sql<number | string | null>`min(seq) filter (where ${IS.changes})`.as("first_change"),
      sql<number | string | null>`min(seq) filter (where ${IS.uses})`.as("first_use"),
      sql<number | string | null>`min(at_us)`.as("oldest_us"),
      sql<number | string>`count(*)`.as("entries"),
      sql<number | string>`count(*) filter (where ${IS.uses})`.as("uses"),
      sql<number | string>`coalesce(sum(${BYTES}), 0)`.as("bytes"),
      sql<number | string>`coalesce(sum(${BYTES}) filter (where ${IS.uses}), 0)`.as(
        "bytes_of_uses",
      ),
    ])
    .executeTakeFirstOrThrow();
  const contentOf = (
    first: number | string | null,
    entries: number,
    bytes: number,
  ): AuditContent | null => (first === null ? null : { first: Number(first), entries, bytes });
  const [entries, bytes] = [Number(row.uses), Number(row.bytes_of_uses)];
  return {
    uses: contentOf(row.first_use, entries, bytes),
    changes: contentOf(row.first_change, Number(row.entries) - entries, Number(row.bytes) - bytes),
    oldestUs: Number(row.oldest_us ?? Infinity),
  };
}

/** If two gateways clean up at the same time, the second no longer finds the entry `first` and removes nothing. */
function forgettingOf(
  db: Kysely<Tables>,
  kind: AuditKind,
  { nowUs, most }: AuditLook,
  { first, entries, bytes }: AuditContent,
  bound: AuditBound,
): Statement {
  const query = db.deleteFrom("audit").where("seq", "in", (from) =>
    from
      .selectFrom((of) =>
        of
          .selectFrom((each) =>
            each
              .selectFrom("audit")
              .select(["seq", "at_us", BYTES.as("bytes")])
              .where("seq", ">=", first)
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
      .select("seq")
      .where("seq", "<", sql<number>`(select max(seq) from audit)`)
      .where(sql<boolean>`exists (select 1 from audit where seq = ${first})`)
      .where(
        sql<boolean>`(entries_until <= ${entries - bound.fewest}
          and (at_us < ${nowUs - LONGEST_US} or entries_until <= ${entries - bound.most})
          or bytes_until <= ${bytes - bound.bytes})`, // the entries after this one fill the bound
      ),
  );
  const { sql: text, parameters } = query.compile();
  return { sql: text, parameters };
}
