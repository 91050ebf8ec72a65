// The keys that open the records, held against what the records say of them.
import type { Stored } from "../management/records/records.ts";
import { isCheckOf } from "../management/secrets/installation.ts";
import { keyring, type Keyring, type MissingKey } from "../management/secrets/keyring.node.ts";
import { installationKey } from "../management/secrets/secrets.node.ts";
import type { Settings } from "../settings/table.ts";
import {
  keyFileOf,
  keyOf,
  keysHere,
  nextKeyFileOf,
  placeOf,
  type NoSecret,
} from "./installation.node.ts";
import { whyNotPrivate } from "./whether-private.node.ts";

/** `installation`: null where nobody has used these records yet. */
export function keysOf(
  settings: Settings,
  installation: Stored | null,
  tell: (line: string) => void,
  mayMake = installation === null,
): Keyring | NoSecret {
  const key = keyOf(settings, mayMake, tell);
  if (typeof key !== "string") return key;
  const open = openNext(settings);
  if (open !== null) return { fault: open };
  const keys = keyring(keysHere(settings, key));
  if (installation === null) return keys;
  const lacking = keys.findMissingKey(installation.document);
  if (lacking !== null) return { fault: sentenceOf(settings, lacking) };
  keys.useKeyOf(installation.document);
  const { next } = keys.keysInUse(installation.document);
  if (next !== null)
    tell(
      `weir: the key of ${placeOf(settings)} is being changed; weir secrets rotate goes on with it`,
    );
  else if (!isCheckOf(installation.document["check"], installationKey(key)))
    tell(
      `weir: ${placeOf(settings)} is sealed with the key of ${nextKeyFileOf(settings)}: put that one into the place of ${nameOf(settings)}`,
    );
  return keys;
}

function openNext(settings: Settings): string | null {
  try {
    return whyNotPrivate(nextKeyFileOf(settings));
  } catch {
    return null; // most of the time there is none
  }
}

const nameOf = (settings: Settings): string =>
  settings["secrets.key"] === null ? keyFileOf(settings) : "secrets.key";

function sentenceOf(settings: Settings, lacking: MissingKey): string {
  const place = placeOf(settings);
  switch (lacking) {
    case "key": {
      const which =
        settings["secrets.key"] === null ? `that of ${keyFileOf(settings)}` : "secrets.key";
      return `${place} was made with another key than ${which}; bring that one back`;
    }
    case "next":
      return `${place} has its key changed, and ${nextKeyFileOf(settings)} does not hold the new one: bring it there`;
    case "old":
      return `${place} has its key changed, and ${nameOf(settings)} is not the old one: bring that back until weir secrets rotate is done`;
  }
}
