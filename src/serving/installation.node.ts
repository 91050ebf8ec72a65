// The secrets of an installation: the secret of each interface, and the key that its records are sealed
// with. They are in settings, or in files of the data folder.
import { join } from "node:path";
import type { Credentials } from "../management/management.ts";
import { INTERFACES, type InterfaceName } from "../management/interface-name.ts";
import type { InstallationKeys } from "../management/secrets/keyring.node.ts";
import { Failure, isFailure } from "../reading/failure.ts";
import { SHORTEST_KEY } from "../settings/shapes.ts";
import type { Settings } from "../settings/table.ts";
import { withoutSecret } from "../store/redis-address.ts";
import { readOrCreateSecret, createSecret } from "./secret-file.node.ts";
import { findFolderPrivacyProblem } from "./file-privacy.node.ts";

/** The place of the records, for messages. */
export const placeOf = ({ records, data }: Settings): string =>
  records === "sqlite"
    ? join(data, "weir.db")
    : records === "memory"
      ? "memory"
      : withoutSecret(records);

type Report = (line: string) => void;

const DATA = "data (--data)";

export const secretFileOf = (settings: Settings, name: InterfaceName): string =>
  settings[`${name}.secret_file`] ?? join(settings.data, `${name}-secret`);

/** No request can have them. */
export const NO_CREDENTIALS: Credentials = {
  studio: "",
  dashboard: "",
  admin: "",
  broker: "",
  portal: "",
};

/** Of the interfaces that are served; the others have no credential. */
export function credentialsOf(settings: Settings, report: Report): Credentials | Failure {
  const served: readonly InterfaceName[] = settings.records === "off" ? ["admin"] : INTERFACES;
  const credentials: Record<InterfaceName, string> = { ...NO_CREDENTIALS };
  const created: string[] = [];
  const reportCreated = (): void => {
    if (created.length > 0)
      report(`created secrets that only this user can read: ${created.join(", ")}`);
  };
  for (const name of served) {
    const secret = settings[`${name}.secret`];
    if (secret !== null) {
      credentials[name] = secret;
      continue;
    }
    const file = secretFileOf(settings, name);
    const isInData = settings[`${name}.secret_file`] === null;
    const setting = isInData ? DATA : `${name}.secret_file`;
    const folderProblem = isInData ? findFolderPrivacyProblem(settings.data) : null;
    const result =
      folderProblem === null
        ? readOrCreateSecret({ file, setting, canCreate: true })
        : new Failure(folderProblem);
    if (isFailure(result)) {
      reportCreated();
      return result;
    }
    if (result.isNew) created.push(file);
    credentials[name] = result.secret;
  }
  reportCreated();
  return credentials;
}

export const keyFileOf = (settings: Settings): string =>
  settings["secrets.key_file"] ?? join(settings.data, "key");

/** The key that `weir secrets rotate` changes to. */
export const nextKeyFileOf = (settings: Settings): string =>
  settings["secrets.next_key_file"] ?? `${keyFileOf(settings)}.next`;

/** Reads the files each time, because the key may be rotated while this process serves. Ignores keys that are too short. */
export const keysHere = (settings: Settings, key: string): InstallationKeys => ({
  next: nextKeyFileOf(settings),
  read: () => {
    const files = [
      ...(settings["secrets.key"] === null ? [keyFileOf(settings)] : []),
      nextKeyFileOf(settings),
    ];
    const keys = settings.records === "memory" ? [] : files.map(keyIn);
    return [...new Set([key, ...keys.filter((each) => each !== null)])];
  },
});

function keyIn(file: string): string | null {
  const result = readOrCreateSecret({ file, setting: "secrets.next_key_file", canCreate: false });
  return !isFailure(result) && result.secret.length >= SHORTEST_KEY ? result.secret : null;
}

/** `canCreate`: there are no records yet that another key could have sealed. */
export function keyOf(settings: Settings, canCreate: boolean, report: Report): string | Failure {
  const key = settings["secrets.key"];
  if (key !== null) return key;
  if (settings.records === "memory") return createSecret(); // which lives as long as the records
  const folderProblem =
    settings["secrets.key_file"] === null ? findFolderPrivacyProblem(settings.data) : null;
  if (folderProblem !== null) return new Failure(folderProblem);
  const file = keyFileOf(settings);
  const setting = "secrets.key_file";
  const result = readOrCreateSecret({ file, setting, canCreate });
  if (isFailure(result))
    return canCreate
      ? result
      : new Failure(`${placeOf(settings)} needs its key: ${result.message}`);
  if (result.secret.length < SHORTEST_KEY)
    return new Failure(
      `${file} has fewer than ${SHORTEST_KEY} letters, which is too short for a key`,
    );
  if (result.isNew)
    report(
      `created ${file}, which protects keys and secrets in the records. Back it up: without it the records are unusable`,
    );
  return result.secret;
}
