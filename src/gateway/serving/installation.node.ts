// The secrets of an installation: a secret for each management API, and the key that seals the records. They are
// settings, or files in the data folder.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Credentials } from "../management/management.ts";
import { INTERFACES, type InterfaceName } from "../management/interface-name.ts";
import type { InstallationKeys } from "../management/secrets/keyring.node.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { isFolder, whyNoFolder, whyUnwritable } from "../../kit/reading/folder.node.ts";
import { SHORTEST_KEY } from "../settings/shapes.ts";
import type { Settings } from "../settings/table.ts";
import { withoutSecret } from "../../limiter/store/redis-address.ts";
import { readOrCreateSecret, createSecret, type SecretFileOptions } from "./secret-file.node.ts";
import { findFolderPrivacyProblem } from "./file-privacy.node.ts";

/** The file or address of the records, without its password, for messages. */
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

/** Empty credentials, which no request can have. */
export const NO_CREDENTIALS: Credentials = {
  studio: "",
  dashboard: "",
  admin: "",
  broker: "",
  portal: "",
};

const interfacesOf = ({ records }: Settings): readonly InterfaceName[] =>
  records === "off" ? ["admin"] : INTERFACES;

/** Reads existing secret files, and tests whether missing ones can be created. Returns the problem; null: none. */
export function findSecretProblem(settings: Settings): string | null {
  if (settings.records === "sqlite" && !isFolder(settings.data)) {
    const problem = whyNoFolder(settings.data);
    if (problem !== null) return `${problem}; set ${DATA} to another folder`;
  }
  for (const name of interfacesOf(settings)) {
    if (settings[`${name}.secret`] !== null) continue;
    const options = secretOptions(settings, name);
    if (isFailure(options)) return options.message;
    const problem = findPlaceProblem(options);
    if (problem !== null) return problem;
  }
  return null;
}

/** Like `findSecretProblem`, for the key. Call it for new records only: others have a key, and get no second one. */
export function findKeyProblem(settings: Settings): string | null {
  if (settings["secrets.key"] !== null || settings.records === "memory") return null;
  return findPlaceProblem({ file: keyFileOf(settings), setting: KEY_FILE });
}

const KEY_FILE = "secrets.key_file";

function findPlaceProblem(options: Pick<SecretFileOptions, "file" | "setting">): string | null {
  if (existsSync(options.file)) {
    const read = readOrCreateSecret({ ...options, canCreate: true });
    return isFailure(read) ? read.message : null;
  }
  const problem = whyUnwritable(options.file);
  return problem === null ? null : `${problem}; set ${options.setting} to another place`;
}

/** The file with the secret of a management API, or a failure if other users could replace the file. */
function secretOptions(settings: Settings, name: InterfaceName): SecretFileOptions | Failure {
  const isInData = settings[`${name}.secret_file`] === null;
  const folderProblem = isInData ? findFolderPrivacyProblem(settings.data) : null;
  if (folderProblem !== null) return new Failure(folderProblem);
  const setting = isInData ? DATA : `${name}.secret_file`;
  return { file: secretFileOf(settings, name), setting, canCreate: true };
}

/** The secrets of the served APIs; missing ones are created. Other APIs have an empty credential. */
export function credentialsOf(settings: Settings, report: Report): Credentials | Failure {
  const credentials: Record<InterfaceName, string> = { ...NO_CREDENTIALS };
  const created: string[] = [];
  const reportCreated = (): void => {
    if (created.length > 0)
      report(`created secrets that only this user can read: ${created.join(", ")}`);
  };
  for (const name of interfacesOf(settings)) {
    const secret = settings[`${name}.secret`];
    if (secret !== null) {
      credentials[name] = secret;
      continue;
    }
    const options = secretOptions(settings, name);
    const result = isFailure(options) ? options : readOrCreateSecret(options);
    if (isFailure(result)) {
      reportCreated();
      return result;
    }
    if (result.isNew) created.push(secretFileOf(settings, name));
    credentials[name] = result.secret;
  }
  reportCreated();
  return credentials;
}

export const keyFileOf = (settings: Settings): string =>
  settings["secrets.key_file"] ?? join(settings.data, "key");

/** The file with the next key for `weir secrets rotate`. */
export const nextKeyFileOf = (settings: Settings): string =>
  settings["secrets.next_key_file"] ?? `${keyFileOf(settings)}.next`;

/** Reads the files each time, because the key may change while this process serves. Ignores keys that are too short. */
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

/** Reads or creates the key. `canCreate` must be false if records exist, because another key has sealed them. */
export function keyOf(settings: Settings, canCreate: boolean, report: Report): string | Failure {
  const key = settings["secrets.key"];
  if (key !== null) return key;
  if (settings.records === "memory") return createSecret(); // such records end with the process, like this key
  const folderProblem =
    settings["secrets.key_file"] === null ? findFolderPrivacyProblem(settings.data) : null;
  if (folderProblem !== null) return new Failure(folderProblem);
  const file = keyFileOf(settings);
  const result = readOrCreateSecret({ file, setting: KEY_FILE, canCreate });
  if (isFailure(result))
    return canCreate
      ? result
      : new Failure(`${placeOf(settings)} needs its key: ${result.message}`);
  if (result.secret.length < SHORTEST_KEY)
    return new Failure(`${file} has fewer than ${SHORTEST_KEY} characters, too few for a key`);
  if (result.isNew)
    report(
      `created ${file}, which protects keys and secrets in the records. Back it up: without it the records are unusable`,
    );
  return result.secret;
}
