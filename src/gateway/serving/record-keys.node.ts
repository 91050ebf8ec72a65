// Finds which of the available keys sealed the records, by the check value that is stored in them.
import { commandLine } from "../../kit/command-line.ts";
import type { Stored } from "../management/records/records.ts";
import { isCheckOf } from "../management/secrets/installation.ts";
import { keyring, type Keyring, type MissingKey } from "../management/secrets/keyring.node.ts";
import { installationKey } from "../management/secrets/secrets.node.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import type { Settings } from "../settings/table.ts";
import { keyFileOf, keyOf, keysHere, nextKeyFileOf, placeOf } from "./installation.node.ts";
import { findPrivacyProblem } from "./file-privacy.node.ts";

/** Returns the keys, or a failure if a needed one is missing. `installation` null: the records are still unused. */
export function keysOf(
  settings: Settings,
  installation: Stored | null,
  report: (line: string) => void,
  canCreate = installation === null,
): Keyring | Failure {
  const key = keyOf(settings, canCreate, report);
  if (isFailure(key)) return key;
  const nextKeyProblem = findNextKeyProblem(settings);
  if (nextKeyProblem !== null) return new Failure(nextKeyProblem);
  const keys = keyring(keysHere(settings, key));
  if (installation === null) return keys;
  const lacking = keys.findMissingKey(installation.document);
  if (lacking !== null) return new Failure(describeLacking(settings, lacking));
  keys.useKeyOf(installation.document);
  const { next } = keys.keysInUse(installation.document);
  if (next !== null)
    report(
      `weir: the key of ${placeOf(settings)} is being rotated; ${commandLine("secrets rotate")} continues`,
    );
  else if (!isCheckOf(installation.document["check"], installationKey(key)))
    report(
      `weir: ${placeOf(settings)} is sealed with the key of ${nextKeyFileOf(settings)}: replace ${nameOf(settings)} by that key`,
    );
  return keys;
}

function findNextKeyProblem(settings: Settings): string | null {
  try {
    return findPrivacyProblem(nextKeyFileOf(settings));
  } catch {
    return null; // the file is usually missing
  }
}

const nameOf = (settings: Settings): string =>
  settings["secrets.key"] === null ? keyFileOf(settings) : "secrets.key";

function describeLacking(settings: Settings, lacking: MissingKey): string {
  const place = placeOf(settings);
  switch (lacking) {
    case "key": {
      const which =
        settings["secrets.key"] === null ? `that of ${keyFileOf(settings)}` : "secrets.key";
      return `${place} was created with another key than ${which}; restore that key`;
    }
    case "next":
      return `the key of ${place} is being rotated, and ${nextKeyFileOf(settings)} is not the new key; restore it`;
    case "old":
      return `the key of ${place} is being rotated, and ${nameOf(settings)} is not the old key; restore it until ${commandLine("secrets rotate")} is done`;
  }
}
