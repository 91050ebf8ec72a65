// The records of one organisation. A token that is limited to it finds, lists, changes and references no other records.
import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import { isFree, nearPathReader } from "./listen-path-conflicts.ts";
import { Rejection } from "./rejection.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import { whyShared } from "./shared-budgets.ts";
import type {
  FoundBy,
  Page,
  RecordReader,
  ManagedRecords,
  Stored,
  RecordTransaction,
} from "./records/records.ts";

const NAMED: Readonly<Partial<Record<RecordTypeName, string>>> = {
  users: "org_id",
  keys: "org_id",
  policies: "org_id",
  apis: "org_id",
  profiles: "OrgID",
};

/** For a record type: the types whose records can refer to its records. */
const GRANTED_BY: Readonly<Partial<Record<RecordTypeName, readonly RecordTypeName[]>>> = {
  apis: ["policies", "keys"],
  policies: ["profiles", "keys"],
};

const AT_ONCE = 500;

export function limitToOrganisation(records: ManagedRecords, organisation: string): ManagedRecords {
  const isOurs = (family: RecordTypeName, stored: Stored | null): stored is Stored =>
    stored !== null &&
    NAMED[family] !== undefined &&
    stored.document[NAMED[family]] === organisation;
  const ours = (family: RecordTypeName, stored: Stored | null): Stored | null =>
    isOurs(family, stored) ? stored : null;

  async function* all(family: RecordTypeName, text: string | null): AsyncGenerator<Stored> {
    const first =
      text === null
        ? await records.list(family, { size: AT_ONCE, page: 1 })
        : await records.searchUsers(text, { size: AT_ONCE, page: 1 });
    let piece = first.records;
    while (piece.length > 0) {
      for (const stored of piece) if (isOurs(family, stored)) yield stored;
      piece = await records.next(family, piece.at(-1)!, AT_ONCE, text);
    }
  }
  const listOwn = async (family: RecordTypeName, page: Page | null, text: string | null) => {
    const from = page === null ? 0 : (page.page - 1) * page.size;
    const to = page === null ? Infinity : from + page.size;
    const found: Stored[] = [];
    let total = 0;
    for await (const stored of all(family, text)) {
      if (total >= from && total < to) found.push(stored);
      total++;
    }
    return { total, records: found };
  };
  const following = async (
    family: RecordTypeName,
    last: Stored,
    most: number,
    text: string | null,
  ) => {
    const found: Stored[] = [];
    for (let from = last; found.length < most;) {
      const piece = await records.next(family, from, AT_ONCE, text);
      if (piece.length === 0) break;
      from = piece.at(-1)!;
      found.push(...piece.filter((stored) => isOurs(family, stored)));
    }
    return found.slice(0, most);
  };

  return {
    ...records,
    read: async (family, id) => ours(family, await records.read(family, id)),
    find: async (family, unique) => ours(family, await records.find(family, unique)),
    list: (family, page) => listOwn(family, page, null),
    searchUsers: (text, page) => listOwn("users", page, text),
    next: following,
    ids: async (family, page) => {
      const { total, records: found } = await listOwn(family, page, null);
      return { total, ids: found.map(({ id }) => id) };
    },
    nextIds: async (family, last, most) => {
      const from: Stored = { id: last, version: 0, document: {}, unique: null };
      return (await following(family, from, most, null)).map(({ id }) => id);
    },
    write: (audited, work) => {
      const surveyed = { near: nearPathReader(), references: surveys<never>() };
      return records.write(audited, (writing) =>
        work(writingOf(writing, organisation, ours, surveyed)),
      );
    },
    listAudit: async () => [],
  };
}

function writingOf(
  writing: RecordTransaction,
  organisation: string,
  ours: (family: RecordTypeName, stored: Stored | null) => Stored | null,
  surveyed: {
    readonly near: ReturnType<typeof nearPathReader>;
    readonly references: Survey<never>;
  },
): RecordTransaction {
  const check = async (
    family: RecordTypeName,
    document: JsonObject,
    before: JsonObject | null,
  ): Promise<void> => {
    const named = NAMED[family];
    if (named === undefined || document[named] !== organisation)
      throw new Rejection(
        403,
        `This token is for ${organisation} alone: set ${named ?? "org_id"}: ${JSON.stringify(organisation)}`,
      );
    const policies: JsonObject[] = [];
    for (const [other, id] of referencesIn(family, document)) {
      const found = ours(other, await writing.read(other, id));
      if (found === null)
        throw new Rejection(
          403,
          `This token is for ${organisation} alone: ${other} ${JSON.stringify(id)} does not belong to it`,
        );
      if (other === "policies") policies.push(found.document);
    }
    const why = whyShared({ family, document, before, policies }, organisation);
    if (why !== null) throw new Rejection(403, `This token is for ${organisation} alone: ${why}`);
  };
  /** Rejects a new listen path that conflicts with another organisation's API. An unchanged path is not examined. */
  const checkPlace = async (
    family: RecordTypeName,
    before: Stored | null,
    { unique: listenPath }: FoundBy,
  ): Promise<void> => {
    if (family !== "apis" || listenPath === null || listenPath === before?.unique) return;
    const near = await surveyed.near(writing, listenPath);
    const isFreePlace = await isFree(near, async (path) => {
      const api = await writing.find("apis", path);
      if (api === null || api.id === before?.id) return null;
      return ours("apis", api) === null ? "another's" : "own";
    });
    if (!isFreePlace)
      throw new Rejection(
        409,
        `The listen path ${JSON.stringify(listenPath)} belongs to an API outside ${organisation}, or is above or below one`,
      );
  };
  /** Throws 409 if records refer to this one: another owner's later record with its id would be granted. */
  const checkUnused = async (family: RecordTypeName, { id }: Stored): Promise<void> => {
    for (const granting of GRANTED_BY[family] ?? [])
      await surveyed.references(writing, granting, `${granting} ${family} ${id}`, (stored) => {
        const references = referencesIn(granting, stored.document);
        if (!references.some(([other, to]) => other === family && to === id)) return null;
        const which = ours(granting, stored) === null ? "of others" : JSON.stringify(stored.id);
        throw new Rejection(
          409,
          `This token is for ${organisation} alone, and ${granting} ${which} refer to it: change these first`,
        );
      });
  };
  const read: RecordReader["read"] = async (family, id) =>
    family === "installation"
      ? writing.read(family, id)
      : ours(family, await writing.read(family, id));
  return {
    ...writing,
    read,
    find: async (family, unique) => ours(family, await writing.find(family, unique)),
    insert: async (family, id, document, foundBy) => {
      await check(family, document, null);
      await checkPlace(family, null, foundBy);
      const stored = await writing.insert(family, id, document, foundBy);
      // If the id belongs to a record of another organisation, null would not explain the conflict.
      if (stored === null && (await writing.read(family, id)) !== null)
        throw new Rejection(409, `The id ${JSON.stringify(id)} is taken`);
      return stored;
    },
    replace: async (family, before, document, foundBy) => {
      await check(family, document, before.document);
      await checkPlace(family, before, foundBy);
      return writing.replace(family, before, document, foundBy);
    },
    remove: async (family, before) => {
      await checkUnused(family, before);
      return writing.remove(family, before);
    },
  };
}

/** The records that a key, policy or profile refers to, in any form of reference. */
function referencesIn(
  family: RecordTypeName,
  document: JsonObject,
): readonly (readonly [RecordTypeName, string])[] {
  const texts = (value: JsonValue | undefined): readonly string[] =>
    (Array.isArray(value) ? value : [value]).filter(
      (each) => typeof each === "string" && each !== "",
    ) as string[];
  if (family === "profiles")
    return texts(document["MatchedPolicyID"]).map((id) => ["policies", id] as const);
  if (family !== "keys" && family !== "policies") return [];
  const { access_rights: rights, apis, apply_policies: several, apply_policy_id: one } = document;
  const granted = isObject(rights)
    ? Object.entries(rights).flatMap(([name, right]) => [
        name,
        ...texts(isObject(right) ? right["api_id"] : undefined),
      ])
    : [];
  return [
    ...[...granted, ...texts(apis)].map((id) => ["apis", id] as const),
    ...[...texts(several), ...texts(one)].map((id) => ["policies", id] as const),
  ];
}

/** Computes `of` for all records of a type; returns results by id. Calls with the same `name` pass the same `of`. */
type Survey<T> = (
  writing: RecordTransaction,
  family: RecordTypeName,
  name: string,
  of: (stored: Stored) => T | null,
) => Promise<ReadonlyMap<string, T>>;

interface Known<T> {
  readonly until: number; // number of the latest change that is included
  readonly found: Map<string, T>;
}

/**
 * Surveys of one write. When the write is repeated, only changed records are read again: otherwise the write might
 * never end while records of the type keep changing.
 */
function surveys<T>(): Survey<T> {
  const known = new Map<string, Known<T>>();
  return async (writing, family, name, of) => {
    const until = await writing.latest();
    const before = known.get(name);
    const changed = before === undefined ? null : await writing.listChanged(family, before.until);
    const found = before === undefined || changed === null ? new Map<string, T>() : before.found;
    const note = (id: string, stored: Stored | null): void => {
      const value = stored && of(stored);
      if (value === null) found.delete(id);
      else found.set(id, value);
    };
    if (changed === null) for await (const stored of writing.all(family)) note(stored.id, stored);
    else for (const [id, stored] of changed) note(id, stored);
    known.set(name, { until, found });
    return found;
  };
}
