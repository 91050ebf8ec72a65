// Records in the memory of one program, without a database, for simulations in a browser.
import { deliveriesInPlainMemory } from "../events/deliveries-plain.ts";
import type { Deliveries } from "../events/deliveries.ts";
import { happeningsOfChange } from "../events/happening.ts";
import { CAUSED, subscriptionOf } from "../events/queueing.ts";
import { writeJson, type JsonObject } from "../json.ts";
import { withoutSecrets } from "../without-secrets.ts";
import { kindOf, rejectTooLarge, USUAL_BOUNDS } from "./bounds.ts";
import { objectOf } from "./damaged.ts";
import type { RecordTypeName } from "./record-types.ts";
import type {
  AuditEntry,
  FoundBy,
  ManagedRecords,
  Page,
  RecordTransaction,
  Stored,
  WriteContext,
  WrittenChange,
} from "./records.ts";
import { isStorable, rejectUnstorable, storableText } from "./storable.ts";

/** The document is text here too, so that readers and writers share no object. */
interface Row extends Omit<Stored, "document"> {
  readonly text: string;
  readonly searched: string | null;
}

/** Rows by type and id. */
type Rows = ReadonlyMap<RecordTypeName, ReadonlyMap<string, Row>>;
type Change = Omit<WrittenChange, "seq">;

const DONE = Promise.resolve();

export interface PlainRecords extends ManagedRecords {
  readonly deliveries: Deliveries;
}

export function recordsInPlainMemory(): PlainRecords {
  let rows: Rows = new Map();
  const audit: AuditEntry[] = [];
  const listeners: ((changes: readonly WrittenChange[]) => void)[] = [];
  let last: Promise<unknown> = DONE; // the last write; the next one waits for it

  const ofType = (family: RecordTypeName): readonly Row[] => inOrder(rows, family);
  const { queueNow, ...deliveries } = deliveriesInPlainMemory(() =>
    ofType("webhooks").map(({ id, text }) => subscriptionOf(id, objectOf(text)!)),
  );
  const withText = (text: string): readonly Row[] =>
    ofType("users").filter((row) => row.searched?.includes(storableText(text)) === true);

  async function write<T>(
    context: WriteContext,
    work: (writing: RecordTransaction) => Promise<T>,
  ): Promise<T> {
    const draft = transaction(rows, audit);
    const value = await work(draft.writing);
    rows = draft.rows();
    const { atUs } = context;
    const written = draft.changes.map((change, index) => ({
      ...change,
      seq: audit.length + index + 1,
    }));
    audit.push(...written.map((change) => auditEntryOf(change, context)));
    const caused = written.flatMap(({ family, id, before, after }) =>
      happeningsOfChange(family, id, before?.document ?? null, after?.document ?? null, atUs),
    );
    queueNow(caused, CAUSED);
    for (const listener of listeners) listener(written);
    return value;
  }

  return {
    bounds: () => USUAL_BOUNDS,
    turn: () => DONE,
    read: async (family, id) => recordOrNull(rows.get(family)?.get(id)),
    find: async (family, unique) => recordOrNull(holderOf(rows, family, unique)),
    write: (context, work) => {
      const next = last.then(() => write(context, work));
      last = next.catch(() => {}); // the caller of the failed write handles the error
      return next;
    },
    list: async (family, page) => pageOf(ofType(family), page),
    searchUsers: async (text, page) => pageOf(withText(text), page),
    next: async (family, { id, unique }, most, text) => {
      const from = family === "users" ? unique! : id;
      return (text === null ? ofType(family) : withText(text))
        .filter((row) => orderOf(family, row) > from)
        .slice(0, most)
        .map(recordOf);
    },
    ids: async (family, page) => {
      const { total, records } = pageOf(ofType(family), page);
      return { total, ids: records.map(({ id }) => id) };
    },
    nextIds: async (family, from, most) =>
      ofType(family)
        .map(({ id }) => id)
        .filter((id) => id > from)
        .slice(0, most),
    changesSince: async (seq) => audit.slice(seq),
    listAudit: async (most, only = null, before = null) =>
      audit
        .filter(({ seq }) => before === null || seq < before)
        .filter((entry) => only === null || kindOf(entry.family, entry.operation) === only)
        .toReversed()
        .slice(0, most),
    latestChange: async () => audit.length,
    onWrite: (listener) => void listeners.push(listener),
    status: () => "answers",
    deliveries,
    close: () => DONE,
  };
}

/** The transaction of one write. It reads its own changes, which others see only after its end. */
function transaction(before: Rows, audit: readonly AuditEntry[]) {
  const rows = new Map([...before].map(([family, all]) => [family, new Map(all)] as const));
  const changes: Change[] = [];
  const latest = audit.length;
  const ofFamily = (family: RecordTypeName): Map<string, Row> => {
    const known = rows.get(family) ?? new Map<string, Row>();
    rows.set(family, known);
    return known;
  };
  const isTaken = (family: RecordTypeName, unique: string | null): boolean =>
    unique !== null && holderOf(rows, family, unique) !== undefined;

  function become(
    family: RecordTypeName,
    old: Stored | null,
    id: string,
    version: number,
    document: JsonObject,
    { unique, text: words }: FoundBy,
  ): Stored | null {
    rejectUnstorable(id, unique);
    const text = writeJson(document);
    rejectTooLarge(family, id, { document, text }, USUAL_BOUNDS, old && old.document);
    if (old === null && ofFamily(family).has(id)) return null;
    if (unique !== old?.unique && isTaken(family, unique)) return null;
    const after: Stored = { id, version, document, unique };
    const searched = family === "users" && words !== null ? storableText(words) : null;
    ofFamily(family).set(id, { id, version, unique, text, searched });
    changes.push({ family, id, before: old, after });
    return after;
  }

  const writing: RecordTransaction = {
    read: async (family, id) => recordOrNull(ofFamily(family).get(id)),
    find: async (family, unique) => recordOrNull(holderOf(rows, family, unique)),
    latest: async () => latest,
    listChanged: async (family, since) => {
      const ids = audit.slice(since).flatMap((each) => (each.family === family ? [each.id] : []));
      return new Map([...new Set(ids)].map((id) => [id, recordOrNull(ofFamily(family).get(id))]));
    },
    all: async function* (family) {
      yield* inOrder(before, family).map(recordOf);
    },
    uniques: async function* (family) {
      const all = inOrder(before, family).flatMap(({ unique }) => unique ?? []);
      if (all.length > 0) yield all.toSorted();
    },
    insert: async (family, id, document, foundBy) =>
      become(family, null, id, latest + 1, document, foundBy),
    replace: async (family, old, document, foundBy) =>
      become(family, old, old.id, old.version + 1, document, foundBy),
    remove: async (family, old) => {
      ofFamily(family).delete(old.id);
      changes.push({ family, id: old.id, before: old, after: null });
    },
  };
  return { writing, changes, rows: (): Rows => rows };
}

const orderOf = (family: RecordTypeName, { id, unique }: Pick<Row, "id" | "unique">): string =>
  family === "users" ? unique! : id;

const inOrder = (rows: Rows, family: RecordTypeName): readonly Row[] =>
  [...(rows.get(family)?.values() ?? [])].toSorted((one, other) =>
    orderOf(family, one) < orderOf(family, other) ? -1 : 1,
  );

const holderOf = (rows: Rows, family: RecordTypeName, unique: string): Row | undefined =>
  isStorable(unique)
    ? [...(rows.get(family)?.values() ?? [])].find((row) => row.unique === unique)
    : undefined;

const recordOf = ({ id, version, unique, text }: Row): Stored => ({
  id,
  version,
  document: objectOf(text)!,
  unique,
});

const recordOrNull = (row: Row | undefined): Stored | null =>
  row === undefined ? null : recordOf(row);

function pageOf(all: readonly Row[], page: Page | null) {
  const from = page === null ? 0 : (page.page - 1) * page.size;
  const rows = page === null ? all : all.slice(from, from + page.size);
  return { total: all.length, records: rows.map(recordOf) };
}

function auditEntryOf(
  { seq, family, id, before, after }: WrittenChange,
  context: WriteContext,
): AuditEntry {
  const documentOf = (of: Stored | null, old: Stored | null): JsonObject | null =>
    of === null ? null : withoutSecrets(family, of.document, old?.document ?? null);
  return {
    ...context,
    seq,
    family,
    id,
    before: documentOf(before, null),
    after: documentOf(after, before),
  };
}
