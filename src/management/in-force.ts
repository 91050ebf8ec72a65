// What the gateway obeys, made of the records and kept up with them. APIs, policies and options are all here; of the
// keys only those that have come, because there may be a million.
import type { Configuration, Key } from "../core/config.ts";
import { bringsShadow, hasShadows, withShadowsOfKeysToCome } from "../core/shadow.ts";
import {
  allGoverning,
  changedGoverning,
  governs,
  sound,
  writtenGoverning,
  type Tell,
} from "./governing.ts";
import type { Governing } from "./as-configured.ts";
import { knownKeys } from "./known-keys.ts";
import type { Secrets } from "./management.ts";
import { Refusal } from "./refusal.ts";
import { ownWrites } from "./own-writes.ts";
import type { Change, Records, Standing, Stored, WrittenChange } from "./records/records.ts";
import { unknownCredentials } from "./unknown-credentials.ts";

/** What a gateway has to do about what has changed. */
export interface Followed {
  readonly configuration: Configuration | null; // a new one, where anything but keys has changed
  readonly forgotten: readonly string[]; // credentials that mean something else now
}

/** Null: it is known now what the credential means. Otherwise why that could not be found out. */
export type HearKnown = (failure: Error | null) => void;

export interface InForce {
  readonly configuration: () => Configuration;
  /** Whoever serves says here what it does about a change. It is called before anybody else can ask. */
  readonly listen: (obey: (followed: Followed) => void) => void;
  /** Over when everything is obeyed that was written before it was called. */
  readonly follow: () => Promise<Followed>;
  /**
   * What this gateway has written is obeyed from now on, and needs no database, until somebody else changes it.
   */
  readonly remember: (written: readonly WrittenChange[]) => void;
  /** Whether it is known what a credential means: its key, or that nobody has it. */
  readonly isKnown: (credential: string) => boolean;
  /** Whoever hears it may decide at once, and not later: the key may change again. */
  readonly lookUp: (credential: string, hear: HearKnown) => void;
  readonly learn: (credential: string) => Promise<void>;
  /** A credential that stands for the key of this id here, and that no request can have. Null: there is no such key. */
  readonly credentialOf: (id: string) => Promise<string | null>;
  readonly standing: () => Standing; // of the records
}

export interface InForceOptions {
  readonly tell: Tell; // to whoever runs the gateway
  readonly mostKeys: number;
}

const DEFAULTS: InForceOptions = { tell: () => {}, mostKeys: 2 ** 20 };
const MOST_AT_ONCE = 100; // records of a write that are obeyed without the database
const MOST_LOOKUPS = 10_000; // at a time

/** No header can carry it. */
const BY_ID = "\0";

const NOTHING: Followed = { configuration: null, forgotten: [] };

/** One question for a credential, and whoever waits for its answer. */
interface Lookup {
  changed: Changed; // since it was asked
  readonly hears: HearKnown[];
}

/** Ids of keys. Null: it may be any of them. */
type Changed = ReadonlySet<string> | null;
const NONE: Changed = new Set();

export async function inForce(
  records: Records,
  { hashOf }: Secrets,
  options: Partial<InForceOptions> = {},
): Promise<InForce> {
  const { tell, mostKeys } = { ...DEFAULTS, ...options };
  let seq = await records.latestChange();
  let governing = await allGoverning(records, tell);
  const keys = knownKeys(mostKeys);
  const own = ownWrites(() => seq);
  const ownGoverning = new Map<string, WrittenChange>(); // by family and id, those that are not followed yet
  const strangers = unknownCredentials(hashOf);
  const lookups = new Set<Lookup>();
  let joinable = new Map<string, Lookup>(); // those that see what is written until now
  const obeying: ((followed: Followed) => void)[] = [];
  let isFailing = false; // by a fault of our own: an outage the records know themselves

  const made = (): Configuration => {
    const whole = { ...governing, keys: keys.byCredential, shadow: null };
    return isShadowed ? withShadowsOfKeysToCome(whole) : whole;
  };
  /** From the first shadow on, because among a million keys nobody counts those that have one. */
  let isShadowed = hasShadows({ ...governing, keys: new Map() });
  let configuration = made();

  const obey = (followed: Followed): Followed => {
    if (followed.configuration === null && followed.forgotten.length === 0) return followed;
    for (const one of obeying) one(followed);
    return followed;
  };

  /** What the records say. They tell an outage themselves; a fault of our own is told here, once. */
  const asked = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      const said = await answer;
      isFailing = false;
      return said;
    } catch (error) {
      const isOwn = !(error instanceof Refusal);
      if (isOwn && !isFailing)
        tell(`what is in force cannot be looked up: ${asError(error).message}`);
      isFailing = isOwn;
      throw error;
    }
  };

  // -------------------------------------------------------------- keys

  const keep = (credential: string, key: Key): void => {
    const forgotten = keys.keep(credential, key);
    if (!isShadowed && bringsShadow(key)) {
      isShadowed = true;
      configuration = made();
      obey({ configuration, forgotten });
    } else obey({ configuration: null, forgotten });
  };

  const kept = async (credential: string): Promise<Stored | null> => {
    if (credential.startsWith(BY_ID)) {
      const id = credential.slice(BY_ID.length);
      const written = own.byId(id);
      return written === undefined ? records.read("keys", id) : written;
    }
    const hash = hashOf(credential);
    const written = own.byHash(hash);
    return written === undefined ? records.find("keys", hash) : written;
  };

  const learned = (credential: string, stored: Stored | null, isSure: boolean): void => {
    const key = stored && (sound("keys", stored, governing.options, tell)?.key ?? null);
    if (key !== null) keep(credential, key);
    else if (isSure) strangers.add(credential);
  };

  const answerLookup = async (credential: string, lookup: Lookup): Promise<void> => {
    const ask = (): Promise<Stored | null | Error> => {
      lookup.changed = NONE;
      return asked(kept(credential)).catch(asError);
    };
    let found = await ask();
    while (isOvertaken(found, lookup.changed)) found = await ask();
    // From here on nobody comes between: whoever waits decides by what is kept now.
    lookups.delete(lookup);
    if (joinable.get(credential) === lookup) joinable.delete(credential);
    const failure = found instanceof Error ? found : null;
    // Where keys have changed meanwhile, it may be this one that has come.
    if (!(found instanceof Error))
      learned(credential, found, found !== null || lookup.changed === NONE);
    for (const hear of lookup.hears) hear(failure);
  };

  const lookUp: InForce["lookUp"] = (credential, hear) => {
    const open = joinable.get(credential);
    if (open !== undefined) {
      open.hears.push(hear);
      return;
    }
    if (lookups.size >= MOST_LOOKUPS) {
      hear(new Error("too many keys are being looked up"));
      return;
    }
    const lookup: Lookup = { changed: NONE, hears: [hear] };
    lookups.add(lookup);
    joinable.set(credential, lookup);
    void answerLookup(credential, lookup);
  };

  const learn = (credential: string): Promise<void> =>
    new Promise((resolve, reject) =>
      lookUp(credential, (failure) => (failure === null ? resolve() : reject(failure))),
    );

  const remember = (written: readonly WrittenChange[]): void => {
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
        if (isOfKey) learned(credential, after, true);
      }
      obey({ configuration: null, forgotten: credentials });
    }
  };

  const rememberGoverning = (written: readonly WrittenChange[]): void => {
    const fresh = written.filter(
      (change) =>
        governs(change) &&
        change.seq > seq &&
        (ownGoverning.get(nameOf(change))?.seq ?? 0) < change.seq,
    );
    if (fresh.length === 0 || fresh.length > MOST_AT_ONCE) return; // an import is looked up
    for (const change of fresh) ownGoverning.set(nameOf(change), change);
    follows(writtenGoverning(governing, fresh, tell), []);
  };

  /** What was written here while the database was read, or later than it was. */
  const withOwn = (next: Governing | null): Governing | null => {
    for (const [name, own] of ownGoverning) if (own.seq <= seq) ownGoverning.delete(name);
    if (next === null || ownGoverning.size === 0) return next;
    return writtenGoverning(next, [...ownGoverning.values()], tell);
  };

  // -------------------------------------------------------------- changes

  const followNow = async (): Promise<Followed> => {
    const changes = await records.changesSince(seq);
    if (changes === null) return startOver();
    if (changes.length === 0) return NOTHING;
    const isOwn = (change: Change): boolean =>
      (ownGoverning.get(nameOf(change))?.seq ?? -1) >= change.seq;
    const ofAll = changes.filter((change) => governs(change) && !isOwn(change));
    const next =
      ofAll.length === 0 ? null : await changedGoverning(records, governing, ofAll, tell);
    // From here on nobody comes between: what is obeyed is all of it or nothing.
    seq = changes.at(-1)!.seq;
    const last = new Map<string, number>();
    for (const { family, id, seq } of changes) if (family === "keys") last.set(id, seq);
    const ids = [...last].flatMap(([id, seq]) => (own.follow(id, seq) ? [] : [id]));
    if (ids.length > 0) overtake(new Set(ids));
    return follows(
      withOwn(next),
      ids.flatMap((id) => keys.forget(id)),
    );
  };

  /** Nobody says any more what has changed: that may be everything. */
  const startOver = async (): Promise<Followed> => {
    const latest = await records.latestChange();
    const next = await allGoverning(records, tell);
    seq = latest;
    own.startOver(latest);
    overtake(null);
    return follows(withOwn(next), keys.forgetAll());
  };

  /** Lookups that are under way may have read what is no longer true. */
  const overtake = (changed: Changed): void => {
    strangers.clear();
    joinable = new Map();
    for (const lookup of lookups)
      lookup.changed = changed && lookup.changed && new Set([...lookup.changed, ...changed]);
  };

  const follows = (next: Governing | null, forgotten: readonly string[]): Followed => {
    if (next === null) return obey({ configuration: null, forgotten });
    governing = next;
    isShadowed ||= hasShadows({ ...next, keys: new Map() });
    configuration = made();
    return obey({ configuration, forgotten });
  };

  let waiting: Promise<Followed> | null = null; // has not begun, and so sees all that is written until now
  let last: Promise<unknown> = Promise.resolve();
  const follow = (): Promise<Followed> => {
    if (waiting !== null) return waiting;
    const next = last.then(() => {
      waiting = null;
      return asked(followNow());
    });
    waiting = next;
    last = next.catch(() => null); // whoever asked is told
    return next;
  };

  return {
    configuration: () => configuration,
    listen: (how) => void obeying.push(how),
    follow,
    remember,
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
    standing: () => (isFailing ? "away" : records.standing()),
  };
}

/** Whether a change is one of what a gateway obeys. */
export const isObeyed = (change: Pick<Change, "family">): boolean =>
  change.family === "keys" || governs(change);

const nameOf = ({ family, id }: Pick<Change, "family" | "id">): string => `${family}/${id}`;

/** What was found, or not found, may be otherwise by now: this gateway may even have written it itself. */
const isOvertaken = (found: Stored | null | Error, changed: Changed): boolean =>
  found instanceof Error ? changed !== NONE : found !== null && changed?.has(found.id) !== false;

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
