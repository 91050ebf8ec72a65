// The available keys of a gateway; the key of its records may change while it serves. Seals with the key that the
// records name, and unseals with every key. If no key unseals a value, the keys are read again.
import { type JsonObject, isObject } from "../json.ts";
import type { SealedAt, Secrets } from "../management.ts";
import { Rejection } from "../rejection.ts";
import { INSTALLATION, isCheckOf } from "./installation.ts";
import { installationKey, opens, type InstallationKey } from "./secrets.node.ts";

export interface InstallationKeys {
  /** Reads the key in use and, during a change, the next one. */
  readonly read: () => readonly string[];
  readonly next: string; // the place from which the next key is read
}

export interface Keyring extends Secrets {
  /** The key that these records need and that is missing; null: no key is missing. */
  readonly findMissingKey: (installation: JsonObject) => MissingKey | null;
  /** The available key that unseals the records, and the key to which they change. */
  readonly keysInUse: (installation: JsonObject) => KeysInUse;
}

/** The missing key: `key` is that of the records; `next` and `old` are the new and the old key of a key change. */
export type MissingKey = "key" | "next" | "old";

interface KeysInUse {
  readonly current: InstallationKey | null;
  readonly next: InstallationKey | null;
  readonly others: readonly InstallationKey[]; // available keys that the records do not name
}

export const PEPPER = { ...INSTALLATION, field: "pepper" } as const satisfies SealedAt;

const READ_AGAIN_MS = 1_000;
const RETRY_AFTER = { "Retry-After": "5" };

export function keyring({ read, next: place }: InstallationKeys): Keyring {
  const keys = new Map<string, InstallationKey>();
  const add = (): void => {
    for (const key of read()) if (!keys.has(key)) keys.set(key, installationKey(key));
  };
  add();
  let readMs = -Infinity;
  /** Reads the keys again. Returns whether there are new keys. */
  const readAgain = (): boolean => {
    const nowMs = performance.now();
    if (nowMs - readMs < READ_AGAIN_MS) return false;
    readMs = nowMs;
    const before = keys.size;
    add();
    return keys.size > before;
  };

  const keysInUse = ({ check, next }: JsonObject): KeysInUse => {
    const all = [...keys.values()];
    const current = all.find((key) => isCheckOf(check, key)) ?? null;
    const coming = isObject(next) ? all.find((key) => isCheckOf(next["check"], key)) : undefined;
    const others = all.filter((key) => key !== current && key !== coming);
    return { current, next: coming ?? null, others };
  };
  const missingKeyNow = (installation: JsonObject): MissingKey | null => {
    const { current, next } = keysInUse(installation);
    const isChanging = isObject(installation["next"]);
    if (current === null) return isChanging && next !== null ? "old" : "key";
    return isChanging && next === null ? "next" : null;
  };
  const findMissingKey = (installation: JsonObject): MissingKey | null => {
    const missing = missingKeyNow(installation);
    return missing !== null && readAgain() ? missingKeyNow(installation) : missing;
  };

  let sealing = keys.values().next().value!;
  let hashOf = sealing.hashWith(sealing.pepper);
  let usedKeyState = "";
  const unseal = (sealed: string, at: SealedAt): string => {
    const openingKey = (): InstallationKey | undefined =>
      [...keys.values()].find((key) => opens(key.unseal, sealed, at));
    const key = openingKey() ?? (readAgain() ? openingKey() : undefined) ?? sealing;
    return key.unseal(sealed, at);
  };
  return {
    findMissingKey,
    keysInUse,
    generate: sealing.generate,
    isSealed: sealing.isSealed,
    unseal,
    seal: (text, at) => sealing.seal(text, at),
    isOfKey: (sealed, at) => opens(sealing.unseal, sealed, at),
    hashOf: (secret) => hashOf(secret),
    useKeyOf: (installation) => {
      const keyState = JSON.stringify([installation["check"], installation["next"] ?? null]);
      if (keyState === usedKeyState) return;
      const missing = findMissingKey(installation);
      if (missing !== null)
        throw new Rejection(503, missingKeyMessage(missing, place), [], RETRY_AFTER);
      const { current, next } = keysInUse(installation);
      hashOf = current!.hashWith(pepperIn(installation, current!));
      sealing = next ?? current!;
      usedKeyState = keyState;
    },
  };
}

/** Returns the first key's pepper: hashed secrets are not stored, so they cannot be hashed with a new pepper. */
export const pepperIn = ({ pepper }: JsonObject, key: InstallationKey): string =>
  typeof pepper === "string" ? key.unseal(pepper, PEPPER) : key.pepper;

function missingKeyMessage(missing: MissingKey, place: string): string {
  switch (missing) {
    case "key":
      return "The records are sealed with another key than the one of this gateway";
    case "next":
      return `The key of the records is being changed, and the new one is missing: put it into ${place}`;
    case "old":
      return "The key of the records is being changed, and the old one is missing: restore it until the change has ended";
  }
}
