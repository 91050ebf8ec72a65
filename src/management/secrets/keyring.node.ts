// The keys of a gateway whose key may be changed while it serves: seals with the one that the records name, opens with
// each that is here, and reads them again where none of them does.
import { type JsonObject, isObject } from "../json.ts";
import type { SealedAt, Secrets } from "../management.ts";
import { Rejection } from "../rejection.ts";
import { INSTALLATION, isCheckOf } from "./installation.ts";
import { ofKey, opens, type OfKey } from "./secrets.node.ts";

export interface KeysHere {
  /** The key in use and, while it is changed, the one to come. */
  readonly read: () => readonly string[];
  readonly next: string; // where the one to come is looked for
}

export interface Keyring extends Secrets {
  /** What is missing to work with these records; null: nothing. */
  readonly lacks: (installation: JsonObject) => Lacking | null;
  /** Of the keys that are here: the one that opens the records, and the one that they change to. */
  readonly inUse: (installation: JsonObject) => InUse;
}

/** `old`: the key is being changed, and the one that is going is not here. */
export type Lacking = "key" | "next" | "old";

export interface InUse {
  readonly current: OfKey | null;
  readonly next: OfKey | null;
  readonly others: readonly OfKey[]; // here, and not named by the records
}

export const PEPPER = { ...INSTALLATION, field: "pepper" } as const satisfies SealedAt;

const READ_AGAIN_MS = 1_000;
const RETRY_AFTER = { "Retry-After": "5" };

export function keyring({ read, next: place }: KeysHere): Keyring {
  const keys = new Map<string, OfKey>();
  const add = (): void => {
    for (const key of read()) if (!keys.has(key)) keys.set(key, ofKey(key));
  };
  add();
  let readMs = -Infinity;
  /** Whether there are keys that were not here before. */
  const readAgain = (): boolean => {
    const nowMs = performance.now();
    if (nowMs - readMs < READ_AGAIN_MS) return false;
    readMs = nowMs;
    const before = keys.size;
    add();
    return keys.size > before;
  };

  const inUse = ({ check, next }: JsonObject): InUse => {
    const all = [...keys.values()];
    const current = all.find((key) => isCheckOf(check, key)) ?? null;
    const coming = isObject(next) ? all.find((key) => isCheckOf(next["check"], key)) : undefined;
    const others = all.filter((key) => key !== current && key !== coming);
    return { current, next: coming ?? null, others };
  };
  const lacksNow = (installation: JsonObject): Lacking | null => {
    const { current, next } = inUse(installation);
    const isChanging = isObject(installation["next"]);
    if (current === null) return isChanging && next !== null ? "old" : "key";
    return isChanging && next === null ? "next" : null;
  };
  const lacks = (installation: JsonObject): Lacking | null => {
    const lacking = lacksNow(installation);
    return lacking !== null && readAgain() ? lacksNow(installation) : lacking;
  };

  let sealing = keys.values().next().value!;
  let hashOf = sealing.hashWith(sealing.pepper);
  let heeded = "";
  const unseal = (sealed: string, at: SealedAt): string => {
    const opening = (): OfKey | undefined =>
      [...keys.values()].find((key) => opens(key.unseal, sealed, at));
    const key = opening() ?? (readAgain() ? opening() : undefined) ?? sealing;
    return key.unseal(sealed, at);
  };
  return {
    lacks,
    inUse,
    generate: sealing.generate,
    isSealed: sealing.isSealed,
    unseal,
    seal: (text, at) => sealing.seal(text, at),
    isOfKey: (sealed, at) => opens(sealing.unseal, sealed, at),
    hashOf: (secret) => hashOf(secret),
    useKeyOf: (installation) => {
      const said = JSON.stringify([installation["check"], installation["next"] ?? null]);
      if (said === heeded) return;
      const lacking = lacks(installation);
      if (lacking !== null) throw new Rejection(503, sentenceOf(lacking, place), [], RETRY_AFTER);
      const { current, next } = inUse(installation);
      hashOf = current!.hashWith(pepperIn(installation, current!));
      sealing = next ?? current!;
      heeded = said;
    },
  };
}

/** Hashes outlive the key that they were first made with: nobody knows the secrets to hash them again. */
export const pepperIn = ({ pepper }: JsonObject, key: OfKey): string =>
  typeof pepper === "string" ? key.unseal(pepper, PEPPER) : key.pepper;

export function sentenceOf(lacking: Lacking, place: string): string {
  switch (lacking) {
    case "key":
      return "The records are sealed with another key than the one that is here";
    case "next":
      return `The key of the records is being changed, and the new one is not here: put it into ${place}`;
    case "old":
      return "The key of the records is being changed, and the old one is not here: bring it back until that is done";
  }
}
