// One write: it reads what is there and says what becomes of it, and then all of that is done at once. Where somebody
// else was faster it is done over, from what is there now.
import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import { ofChange, type Happening } from "../events/happening.ts";
import { listening, queueCaused } from "../events/queueing-sql.ts";
import { writeJson, type JsonObject } from "../json.ts";
import { Refusal } from "../refusal.ts";
import { withoutSecrets } from "../without-secrets.ts";
import {
  applying,
  oneAtATime,
  TELL,
  type Outcome,
  type Prepared,
  type Seen,
  type Statement,
  type Unchanged,
} from "./apply.ts";
import { refuseTooLarge, type RecordBounds } from "./bounds.ts";
import type { Damaged } from "./damaged.ts";
import { forgetting, kindOf, MOST_AT_ONCE } from "./forgetting.ts";
import type { Dialect } from "./migrations.ts";
import {
  behind,
  canBeKept,
  changesSince,
  keptText,
  latestChange,
  listed,
  one,
  uniquesAfter,
  type Turn,
} from "./read.ts";
import type { Family } from "./family.ts";
import type {
  Audited,
  Change,
  Listed,
  Rewritten,
  Stored,
  WrittenChange,
  Writing,
} from "./records.ts";
import type { Tables } from "./tables.ts";

export type Transact = <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;

export interface Ways {
  readonly lookups: Kysely<Tables>;
  readonly scans: Kysely<Tables>;
  readonly dialect: Dialect;
  readonly apply: (prepared: Prepared) => Promise<Outcome>;
  readonly transact: Transact;
  readonly damaged: Damaged;
  readonly bounds: () => RecordBounds;
  readonly wrote: (changes: readonly WrittenChange[]) => void;
  readonly turn: Turn;
}

/** Of a family that is read whole, and of what it is found by. */
const AT_ONCE = 500;
const UNIQUES_AT_ONCE = 1_000;

/** So often it is looked whether too much has gathered, while as much is written as may be there. */
const LOOKS = 16;

type Write = <T>(audited: Audited, work: (writing: Writing) => Promise<T>) => Promise<T>;

export function writer(ways: Ways): Write {
  const { lookups, scans, dialect, apply, transact, damaged, bounds, turn, wrote } = ways;
  // Those that somebody was faster than go one after the other, or they would be in each other's way again.
  const after = oneAtATime();
  let told = MOST_AT_ONCE; // changes, since old ones were last looked for: the first write does
  let toldBytes = 0; // of what they say
  return async (audited, work) => {
    const once = async () => {
      const preparation = preparing(lookups, audited, damaged, bounds(), turn, {
        first: (family) => listed(scans, family, { size: AT_ONCE, page: 1 }, turn),
        next: (family, last) => behind(scans, family, last, AT_ONCE, null, dialect, turn),
        uniques: (family, last) => uniquesAfter(scans, family, last, UNIQUES_AT_ONCE),
      });
      const { writing, prepared: own, happenings, changes } = preparation;
      const value = await work(writing);
      const { statements } = own;
      if (statements.length === 0) return { isDone: true, value };
      told += statements.length / 2; // each with what is told of it
      for (const { parameters } of statements)
        for (const each of parameters) if (typeof each === "string") toldBytes += each.length;
      const isTime = told >= MOST_AT_ONCE || toldBytes >= bounds().auditBytes / LOOKS;
      const most = 2 * told;
      if (isTime) told = toldBytes = 0; // a write that comes meanwhile need not look too
      const coming = changes.map(({ family }) => kindOf(family, audited.what));
      const look = { nowUs: audited.atUs, most, coming };
      const old = isTime ? await forgetting(scans, look, bounds()) : [];
      const prepared = { ...own, statements: [...statements, ...old] };
      const outcome = (await isHeard(lookups, happenings, damaged))
        ? await transact((db) => applyAndTell(db, dialect, prepared, happenings, damaged))
        : await apply(prepared);
      if (outcome === "stale") return { isDone: false, value };
      wrote(changes.map((change, index) => ({ ...change, seq: outcome[index]! })));
      return { isDone: true, value };
    };
    for (let trial = once(); ; trial = after(once)) {
      const { isDone, value } = await trial;
      if (isDone) return value;
    }
  };
}

/** Most writes cause nothing that anybody wants to hear of, and need no transaction of their own. */
async function isHeard(
  db: Kysely<Tables>,
  happenings: readonly Happening[],
  damaged: Damaged,
): Promise<boolean> {
  if (happenings.length === 0) return false;
  const webhooks = await listening(db, damaged);
  return happenings.some(({ event }) => webhooks.some(({ events }) => events.has(event)));
}

async function applyAndTell(
  db: Transaction<Tables>,
  dialect: Dialect,
  prepared: Prepared,
  happenings: readonly Happening[],
  damaged: Damaged,
): Promise<Outcome> {
  const steps = applying([prepared], { dialect, before: [], after: TELL[dialect] });
  let next = steps.next();
  while (next.done !== true) {
    const { sql, parameters } = next.value;
    next = steps.next(await db.executeQuery(CompiledQuery.raw(sql, [...parameters])));
  }
  const outcome = next.value[0]!;
  if (outcome !== "stale") await queueCaused(db, happenings, damaged);
  return outcome;
}

interface Preparing {
  readonly writing: Writing;
  readonly prepared: Prepared;
  readonly happenings: readonly Happening[];
  readonly changes: readonly Unnumbered[];
}

/** Of a family, in its order. */
interface Pieces {
  readonly first: (family: Family) => Promise<Listed>;
  readonly next: (family: Family, last: Stored) => Promise<readonly Stored[]>;
  readonly uniques: (family: Family, last: string) => Promise<readonly string[]>;
}

type Unnumbered = Omit<WrittenChange, keyof Pick<Change, "seq">>;

const keyOf = (family: Family, value: string): string => `${family} ${value}`;

function preparing(
  db: Kysely<Tables>,
  { who, what, atUs }: Audited,
  damaged: Damaged,
  bounds: RecordBounds,
  turn: Turn,
  pieces: Pieces,
): Preparing {
  const seen: Seen[] = [];
  const unchanged: Unchanged[] = [];
  const statements: Statement[] = [];
  let latest: number | null = null; // change, when the first record was made or a family read
  const happenings: Happening[] = [];
  const changes: Unnumbered[] = [];
  const own = new Map<string, Stored | null>(); // by family and id, as this write leaves it; null: removed
  const ownUniques = new Map<string, string>(); // by family and what is unique -> id

  const seenUntil = async (): Promise<number> => (latest ??= await latestChange(db));
  const look = async (
    family: Family,
    column: Seen["column"],
    value: string,
  ): Promise<Stored | null> => {
    if (column === "id" && own.has(keyOf(family, value))) return own.get(keyOf(family, value))!;
    const holder = column === "id" ? undefined : ownUniques.get(keyOf(family, value));
    if (holder !== undefined) return own.get(keyOf(family, holder))!;
    const found = await one(db, family, column, value, turn);
    if (found?.isDamaged === true) damaged(`${family} ${found.id}`);
    seen.push({ family, column, value, found });
    // What this write has taken away from it is free.
    return found !== null && column === "found_by" && own.has(keyOf(family, found.id))
      ? null
      : found;
  };
  const become = (
    family: Family,
    id: string,
    before: Stored | null,
    after: Stored | null,
    query: { readonly compile: () => Statement },
  ): void => {
    if (before !== null && before.unique !== null) ownUniques.delete(keyOf(family, before.unique));
    if (after !== null && after.unique !== null) ownUniques.set(keyOf(family, after.unique), id);
    own.set(keyOf(family, id), after);
    changes.push({ family, id, before, after });
    const told = (stored: Stored | null, old: Stored | null): string | null =>
      stored === null
        ? null
        : writeJson(withoutSecrets(family, stored.document, old?.document ?? null));
    const audit = db
      .insertInto("audit")
      .values({
        at_us: atUs,
        who,
        what,
        family,
        id,
        before: told(before, null),
        after: told(after, before),
      })
      .returning("seq");
    happenings.push(
      ...ofChange(family, id, before?.document ?? null, after?.document ?? null, atUs),
    );
    for (const each of [query, audit]) {
      const { sql, parameters } = each.compile();
      statements.push({ sql, parameters });
    }
  };
  /** As it is kept, within its bounds. */
  const written = (family: Family, id: string, document: JsonObject, before: Stored | null) => {
    const text = writeJson(document);
    refuseTooLarge(family, id, { document, text }, bounds, before && before.document);
    return text;
  };
  return {
    prepared: { seen, unchanged, statements },
    happenings,
    changes,
    writing: {
      read: (family, id) => look(family, "id", id),
      find: (family, unique) => look(family, "found_by", unique),
      latest: seenUntil,
      changed: async (family, since) => {
        unchanged.push({ family, id: null, since: await seenUntil() });
        const changes = await changesSince(db, since);
        if (changes === null) return null;
        const ids = new Set(changes.filter((each) => each.family === family).map(({ id }) => id));
        const found = new Map<string, Stored | null>();
        for (const id of ids) found.set(id, await look(family, "id", id));
        return found;
      },
      all: async function* (family) {
        unchanged.push({ family, id: null, since: await seenUntil() });
        let { records: piece } = await pieces.first(family);
        while (piece.length > 0) {
          yield* piece;
          piece = await pieces.next(family, piece.at(-1)!);
        }
      },
      uniques: async function* (family) {
        unchanged.push({ family, id: null, since: await seenUntil() });
        for (let last = ""; ;) {
          const piece = await pieces.uniques(family, last);
          if (piece.length === 0) return;
          yield piece;
          last = piece.at(-1)!;
        }
      },
      insert: async (family, id, document, { unique, text }) => {
        refuseUnlessKept(id, unique);
        const kept = written(family, id, document, null);
        if ((await look(family, "id", id)) !== null) return null;
        if (unique !== null && (await look(family, "found_by", unique)) !== null) return null;
        // No record has a version above the number of its own last change, so this one is above those of all that
        // have had its id: a tag of theirs never fits it.
        const since = await seenUntil();
        unchanged.push({ family, id, since });
        const stored: Stored = { id, version: since + 1, document, unique };
        const query = db.insertInto("records").values({
          family,
          id,
          version: stored.version,
          document: kept,
          found_by: unique,
          text: searched(family, text),
        });
        become(family, id, null, stored, query);
        return stored;
      },
      replace: async (family, before, document, { unique, text }) => {
        refuseUnlessKept(unique);
        const { id } = before;
        const kept = written(family, id, document, before);
        if (unique !== null && unique !== before.unique)
          if ((await look(family, "found_by", unique)) !== null) return null;
        const made: Stored = { id, version: before.version + 1, document, unique };
        const query = db
          .updateTable("records")
          .set({
            version: made.version,
            document: kept,
            found_by: unique,
            text: searched(family, text),
          })
          .where("family", "=", family)
          .where("id", "=", id);
        become(family, id, before, made, query);
        return made;
      },
      remove: async (family, before) => {
        const query = db
          .deleteFrom("records")
          .where("family", "=", family)
          .where("id", "=", before.id);
        become(family, before.id, before, null, query);
      },
    },
  };
}

/** In a transaction: none of them is another one since it was read. */
export async function rewrite(
  db: Kysely<Tables>,
  family: Family,
  rewritten: readonly Rewritten[],
): Promise<number> {
  let written = 0;
  for (const { before, document } of rewritten) {
    const { numUpdatedRows } = await db
      .updateTable("records")
      .set({ document: writeJson(document) })
      .where("family", "=", family)
      .where("id", "=", before.id)
      .where("version", "=", before.version)
      .executeTakeFirst();
    written += Number(numUpdatedRows);
  }
  return written;
}

/** Nobody searches for anything but users. */
const searched = (family: Family, text: string | null): string | null =>
  family === "users" && text !== null ? keptText(text) : null;

function refuseUnlessKept(...texts: readonly (string | null)[]): void {
  if (!texts.every((text) => text === null || canBeKept(text)))
    throw new Refusal(400, "An id or a name holds a letter that cannot be kept");
}
