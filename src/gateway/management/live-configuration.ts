// The configuration of a gateway, built from the records and updated with them. APIs, policies and options are read
// completely; keys are loaded on first use, because there may be a million.
import type { Configuration, Key } from "../../limiter/core/config.ts";
import { hasShadowLimit, hasShadows, separateShadowsLazily } from "../../limiter/core/shadow.ts";
import {
  readConfiguration,
  readChangedConfiguration,
  isConfigurationChange,
  readValid,
  applyWritten,
  type ReportProblem,
} from "./read-configuration.ts";
import type { RecordConfiguration } from "./read-record.ts";
import { keyCache } from "./key-cache.ts";
import type { Secrets } from "./management.ts";
import { Rejection } from "./rejection.ts";
import { ownWrites } from "./own-writes.ts";
import type {
  RecordChange,
  ManagedRecords,
  RecordsStatus,
  Stored,
  WrittenChange,
} from "./records/records.ts";
import { unknownCredentials } from "./unknown-credentials.ts";

/** A change for the gateway to apply. */
export interface AppliedChange {
  readonly configuration: Configuration | null; // null: only keys have changed
  readonly forgotten: readonly string[]; // credentials whose keys have changed
}

/** Called when a lookup ends. Null: the credential is resolved; otherwise the error that prevented this. */
type OnLookup = (failure: Error | null) => void;

export interface LiveConfiguration {
  readonly configuration: () => Configuration;
  /** Registers a listener that gets each change before any request can use the change. */
  readonly onChange: (obey: (followed: AppliedChange) => void) => void;
  /** Resolves when all earlier writes are applied. */
  readonly applyChanges: () => Promise<AppliedChange>;
  /** Applies own writes without reading the database. A later change by another gateway still applies. */
  readonly applyOwnWrites: (written: readonly WrittenChange[]) => void;
  /** Whether a credential is resolved, to its key or to no key. */
  readonly isKnown: (credential: string) => boolean;
  /** Calls back when the credential is resolved. Use the key within the callback, because it may change again. */
  readonly lookUp: (credential: string, onLookup: OnLookup) => void;
  readonly learn: (credential: string) => Promise<void>;
  /** A credential of the key with this id, perhaps an internal one. Null: there is no such key. */
  readonly credentialOf: (id: string) => Promise<string | null>;
  readonly status: () => RecordsStatus; // of the records
}

export interface LiveConfigurationOptions {
  readonly report: ReportProblem; // reports to the operator
  readonly mostKeys: number;
}

const DEFAULTS: LiveConfigurationOptions = { report: () => {}, mostKeys: 2 ** 20 };
const MOST_AT_ONCE = 100; // changes of one write; if it has more, the records are read from the database
const MOST_LOOKUPS = 10_000; // the largest number of simultaneous lookups

/** Prefix of the internal credential of a key; no header can contain it. */
const BY_ID = "\0";

const NOTHING: AppliedChange = { configuration: null, forgotten: [] };

/** One lookup of a credential, and the callbacks that wait for it. */
interface Lookup {
  changed: Changed; // changes since the read began
  readonly listeners: OnLookup[];
}

/** Ids of changed keys. Null: any key may have changed. */
type Changed = ReadonlySet<string> | null;
const NONE: Changed = new Set();

export async function liveConfiguration(
  records: ManagedRecords,
  { hashOf }: Secrets,
  options: Partial<LiveConfigurationOptions> = {},
): Promise<LiveConfiguration> {
  const { report, mostKeys } = { ...DEFAULTS, ...options };
  let seq = await records.latestChange();
  let governing = await readConfiguration(records, report);
  const keys = keyCache(mostKeys);
  const own = ownWrites(() => seq);
  const ownGoverning = new Map<string, WrittenChange>(); // own writes after `seq`, by type and id
  const strangers = unknownCredentials(hashOf);
  const lookups = new Set<Lookup>();
  let joinable = new Map<string, Lookup>(); // lookups that include all writes so far, by credential
  const listeners: ((followed: AppliedChange) => void)[] = [];
  let isFailing = false; // an internal error was reported; the records report outages themselves

  const buildConfiguration = (): Configuration => {
    const whole = { ...governing, keys: keys.byCredential, shadow: null };
    return isShadowed ? separateShadowsLazily(whole) : whole;
  };
  /** Stays true after the first shadow limit, because testing a million keys for another one takes too long. */
  let isShadowed = hasShadows({ ...governing, keys: new Map() });
  let configuration = buildConfiguration();

  const announce = (followed: AppliedChange): AppliedChange => {
    if (followed.configuration === null && followed.forgotten.length === 0) return followed;
    for (const one of listeners) one(followed);
    return followed;
  };

  /** Reports an internal error once. The records report outages themselves. */
  const reportFailure = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      const result = await answer;
      isFailing = false;
      return result;
    } catch (error) {
      const isOwn = !(error instanceof Rejection);
      if (isOwn && !isFailing)
        report(`the configuration cannot be read from the records: ${asError(error).message}`);
      isFailing = isOwn;
      throw error;
    }
  };

  // -------------------------------------------------------------- keys

  const keep = (credential: string, key: Key): void => {
    const forgotten = keys.keep(credential, key);
    if (!isShadowed && hasShadowLimit(key)) {
      isShadowed = true;
      configuration = buildConfiguration();
      announce({ configuration, forgotten });
    } else announce({ configuration: null, forgotten });
  };

  const readCredential = async (credential: string): Promise<Stored | null> => {
    if (credential.startsWith(BY_ID)) {
      const id = credential.slice(BY_ID.length);
      const written = own.byId(id);
      return written === undefined ? records.read("keys", id) : written;
    }
    const hash = hashOf(credential);
    const written = own.byHash(hash);
    return written === undefined ? records.find("keys", hash) : written;
  };

  const learnStored = (credential: string, stored: Stored | null, isSure: boolean): void => {
    const key = stored && (readValid("keys", stored, governing.options, report)?.key ?? null);
    if (key !== null) keep(credential, key);
    else if (isSure) strangers.add(credential);
  };

  const answerLookup = async (credential: string, lookup: Lookup): Promise<void> => {
    const read = (): Promise<Stored | null | Error> => {
      lookup.changed = NONE;
      return reportFailure(readCredential(credential)).catch(asError);
    };
    let found = await read();
    while (isOvertaken(found, lookup.changed)) found = await read();
    // From here on nothing is awaited, so that the callbacks use the key in its present state.
    lookups.delete(lookup);
    if (joinable.get(credential) === lookup) joinable.delete(credential);
    const failure = found instanceof Error ? found : null;
    // If keys have changed since the read, the credential may belong to one of them, so it is not noted as unknown.
    if (!(found instanceof Error))
      learnStored(credential, found, found !== null || lookup.changed === NONE);
    for (const onLookup of lookup.listeners) onLookup(failure);
  };

  const lookUp: LiveConfiguration["lookUp"] = (credential, onLookup) => {
    const open = joinable.get(credential);
    if (open !== undefined) {
      open.listeners.push(onLookup);
      return;
    }
    if (lookups.size >= MOST_LOOKUPS) {
      onLookup(new Error("too many keys are being looked up"));
      return;
    }
    const lookup: Lookup = { changed: NONE, listeners: [onLookup] };
    lookups.add(lookup);
    joinable.set(credential, lookup);
    void answerLookup(credential, lookup);
  };

  const learn = (credential: string): Promise<void> =>
    new Promise((resolve, reject) =>
      lookUp(credential, (failure) => (failure === null ? resolve() : reject(failure))),
    );

  const applyOwnWrites = (written: readonly WrittenChange[]): void => {
    rememberGoverning(written);
    const last = new Map<string, WrittenChange>();
    for (const change of written) if (change.family === "keys") last.set(change.id, change);
    const known = [...last.values()].filter(own.note);
    if (known.length === 0) return;
    overtake(new Set(known.map(({ id }) => id)));
    for (const { id, after } of known) {
      const credentials = keys.forget(id);
      for (const credential of credentials) {
        const isOfKey = credential.startsWith(BY_ID) || hashOf(credential) === after?.unique;
        if (isOfKey) learnStored(credential, after, true);
      }
      announce({ configuration: null, forgotten: credentials });
    }
  };

  const rememberGoverning = (written: readonly WrittenChange[]): void => {
    const fresh = written.filter(
      (change) =>
        isConfigurationChange(change) &&
        change.seq > seq &&
        (ownGoverning.get(nameOf(change))?.seq ?? 0) < change.seq,
    );
    if (fresh.length === 0 || fresh.length > MOST_AT_ONCE) return; // an import: its records are read from the database
    for (const change of fresh) ownGoverning.set(nameOf(change), change);
    applyConfiguration(applyWritten(governing, fresh, report), []);
  };

  /** Applies own writes that are newer than the records that were read. */
  const withOwn = (next: RecordConfiguration | null): RecordConfiguration | null => {
    for (const [name, own] of ownGoverning) if (own.seq <= seq) ownGoverning.delete(name);
    if (next === null || ownGoverning.size === 0) return next;
    return applyWritten(next, [...ownGoverning.values()], report);
  };

  // -------------------------------------------------------------- changes

  const applyNow = async (): Promise<AppliedChange> => {
    const changes = await records.changesSince(seq);
    if (changes === null) return startOver();
    if (changes.length === 0) return NOTHING;
    const isOwn = (change: RecordChange): boolean =>
      (ownGoverning.get(nameOf(change))?.seq ?? -1) >= change.seq;
    const ofAll = changes.filter((change) => isConfigurationChange(change) && !isOwn(change));
    const next =
      ofAll.length === 0 ? null : await readChangedConfiguration(records, governing, ofAll, report);
    // From here on nothing is awaited, so that all changes apply together.
    seq = changes.at(-1)!.seq;
    const last = new Map<string, number>();
    for (const { family, id, seq } of changes) if (family === "keys") last.set(id, seq);
    const ids = [...last].flatMap(([id, seq]) => (own.follow(id, seq) ? [] : [id]));
    if (ids.length > 0) overtake(new Set(ids));
    return applyConfiguration(
      withOwn(next),
      ids.flatMap((id) => keys.forget(id)),
    );
  };

  /** Reads all records again, because the change log no longer has all changes since `seq`. */
  const startOver = async (): Promise<AppliedChange> => {
    const latest = await records.latestChange();
    const next = await readConfiguration(records, report);
    seq = latest;
    own.startOver(latest);
    overtake(null);
    return applyConfiguration(withOwn(next), keys.forgetAll());
  };

  /** Marks running lookups, which may have read records before this change. */
  const overtake = (changed: Changed): void => {
    strangers.clear();
    joinable = new Map();
    for (const lookup of lookups)
      lookup.changed = changed && lookup.changed && new Set([...lookup.changed, ...changed]);
  };

  const applyConfiguration = (
    next: RecordConfiguration | null,
    forgotten: readonly string[],
  ): AppliedChange => {
    if (next === null) return announce({ configuration: null, forgotten });
    governing = next;
    isShadowed ||= hasShadows({ ...next, keys: new Map() });
    configuration = buildConfiguration();
    return announce({ configuration, forgotten });
  };

  let waiting: Promise<AppliedChange> | null = null; // has not started yet, so it will include all writes so far
  let last: Promise<unknown> = Promise.resolve();
  const applyChanges = (): Promise<AppliedChange> => {
    if (waiting !== null) return waiting;
    const next = last.then(() => {
      waiting = null;
      return reportFailure(applyNow());
    });
    waiting = next;
    last = next.catch(() => null); // the caller of `next` handles the error
    return next;
  };

  return {
    configuration: () => configuration,
    onChange: (how) => void listeners.push(how),
    applyChanges,
    applyOwnWrites,
    isKnown: (credential) => keys.byCredential.has(credential) || strangers.has(credential),
    lookUp,
    learn,
    credentialOf: async (id) => {
      for (;;) {
        const known = keys.credentialOf(id) ?? BY_ID + id;
        if (keys.byCredential.has(known)) return known;
        if (strangers.has(known)) return null;
        await learn(known);
        if (!keys.byCredential.has(known) && !strangers.has(known)) return null;
      }
    },
    status: () => (isFailing ? "away" : records.status()),
  };
}

/** Whether gateways have to apply the change. */
export const isConfiguration = (change: Pick<RecordChange, "family">): boolean =>
  change.family === "keys" || isConfigurationChange(change);

const nameOf = ({ family, id }: Pick<RecordChange, "family" | "id">): string => `${family}/${id}`;

/** Whether a lookup may have read an old record, for example before an own write. */
const isOvertaken = (found: Stored | null | Error, changed: Changed): boolean =>
  found instanceof Error ? changed !== NONE : found !== null && changed?.has(found.id) !== false;

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
