// The log of changes does not grow for ever. Whoever follows it and finds that a change has gone reads all anew, and the
// newest one always stays. Uses of tokens are in it too: whoever only reads must not make a change be forgotten, so these
// have bounds of their own.
import { sql, type Kysely } from "kysely";
import type { Statement } from "./apply.ts";
import { AUDIT_KINDS, type AuditEntries, type AuditKind, type RecordBounds } from "./bounds.ts";
import type { Family } from "./family.ts";
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

/** Of a change of a record of the family. */
export const kindOf = (family: Family, what: string): AuditKind =>
  family === "tokens" && [USE, REFUSAL].some((each) => what.startsWith(each)) ? "uses" : "changes";

const BYTES = sql<number>`(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0))`;

/** What the log has of a kind. */
interface AuditContent {
  readonly first: number; // its oldest entry
  readonly entries: number;
  readonly bytes: number;
}

interface AuditBound extends AuditEntries {
  readonly bytes: number;
}

export interface AuditLook {
  readonly nowUs: number;
  readonly most: number; // entries of a kind that go
  readonly coming: readonly AuditKind[]; // entries of the same write
}

/**
 * Of the oldest entries, `most` at most, what may go, and more where all of it has more bytes than it may. More may go than
 * come, so that it becomes less even where much has gathered. The whole log is read once, before the write that is to forget
 * begins its transaction: no other write waits for that.
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

/** Null: nothing of a kind. Each aggregate counts: the log may have a million entries. */
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

/** Of two gateways that have looked at the same time only one forgets: the first entry has gone for the other one. */
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
          or bytes_until <= ${bytes - bound.bytes})`, // without it there is still too much
      ),
  );
  const { sql: text, parameters } = query.compile();
  return { sql: text, parameters };
}
