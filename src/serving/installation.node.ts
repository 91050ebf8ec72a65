// The secrets of an installation: what each interface wants to be shown, and the key that its records are sealed
// with. Settings say them, or files of the data folder do.
import { join } from "node:path";
import type { Credentials } from "../management/management.ts";
import { INTERFACES, type InterfaceName } from "../management/interface-name.ts";
import type { InstallationKeys } from "../management/secrets/keyring.node.ts";
import { SHORTEST_KEY } from "../settings/shapes.ts";
import type { Settings } from "../settings/table.ts";
import { withoutSecret } from "../store/redis-address.ts";
import { keptSecret, madeSecret, type KeptSecret } from "./kept-secret.node.ts";
import { whyFolderNotPrivate } from "./whether-private.node.ts";

/** As people are told where records lie. */
export const placeOf = ({ records, data }: Settings): string =>
  records === "sqlite"
    ? join(data, "weir.db")
    : records === "memory"
      ? "memory"
      : withoutSecret(records);

type Tell = (line: string) => void;
export interface NoSecret {
  readonly fault: string;
}

const DATA = "data (--data)";

export const secretFileOf = (settings: Settings, name: InterfaceName): string =>
  settings[`${name}.secret_file`] ?? join(settings.data, `${name}-secret`);

/** Which nobody can show. */
export const NO_CREDENTIALS: Credentials = {
  studio: "",
  dashboard: "",
  admin: "",
  broker: "",
  portal: "",
};

/** Of the interfaces that are served; nothing opens the others. */
export function credentialsOf(settings: Settings, tell: Tell): Credentials | NoSecret {
  const served: readonly InterfaceName[] = settings.records === "off" ? ["admin"] : INTERFACES;
  const credentials: Record<InterfaceName, string> = { ...NO_CREDENTIALS };
  const made: string[] = [];
  const tellMade = (): void => {
    if (made.length > 0) tell(`created secrets that only their owner can read: ${made.join(", ")}`);
  };
  for (const name of served) {
    const said = settings[`${name}.secret`];
    if (said !== null) {
      credentials[name] = said;
      continue;
    }
    const file = secretFileOf(settings, name);
    const isInData = settings[`${name}.secret_file`] === null;
    const setting = isInData ? DATA : `${name}.secret_file`;
    const open = isInData ? whyFolderNotPrivate(settings.data) : null;
    const kept = open === null ? keptSecret({ file, setting, mayMake: true }) : { fault: open };
    if ("fault" in kept) {
      tellMade();
      return kept;
    }
    if (kept.isNew) made.push(file);
    credentials[name] = kept.secret;
  }
  tellMade();
  return credentials;
}

export const keyFileOf = (settings: Settings): string =>
  settings["secrets.key_file"] ?? join(settings.data, "key");

/** The key that `weir secrets rotate` changes to. */
export const nextKeyFileOf = (settings: Settings): string =>
  settings["secrets.next_key_file"] ?? `${keyFileOf(settings)}.next`;

/** Looked for again each time, because the key may be changed while this one serves. What is not sound is not there. */
export const keysHere = (settings: Settings, key: string): InstallationKeys => ({
  next: nextKeyFileOf(settings),
  read: () => {
    const files = [
      ...(settings["secrets.key"] === null ? [keyFileOf(settings)] : []),
      nextKeyFileOf(settings),
    ];
    const found = settings.records === "memory" ? [] : files.map(keyIn);
    return [...new Set([key, ...found.filter((each) => each !== null)])];
  },
});

function keyIn(file: string): string | null {
  const kept = keptSecret({ file, setting: "secrets.next_key_file", mayMake: false });
  return "secret" in kept && kept.secret.length >= SHORTEST_KEY ? kept.secret : null;
}

/** `mayMake`: there are no records yet that another one could have sealed. */
export function keyOf(settings: Settings, mayMake: boolean, tell: Tell): string | NoSecret {
  const said = settings["secrets.key"];
  if (said !== null) return said;
  if (settings.records === "memory") return madeSecret(); // as long as they live, which is not longer
  const open = settings["secrets.key_file"] === null ? whyFolderNotPrivate(settings.data) : null;
  if (open !== null) return { fault: open };
  const file = keyFileOf(settings);
  const setting = "secrets.key_file";
  const kept: KeptSecret | NoSecret = keptSecret({ file, setting, mayMake });
  if ("fault" in kept)
    return mayMake ? kept : { fault: `${placeOf(settings)} needs its key: ${kept.fault}` };
  if (kept.secret.length < SHORTEST_KEY)
    return { fault: `${file} holds fewer than ${SHORTEST_KEY} letters, which no key is` };
  if (kept.isNew)
    tell(
      `created ${file}, which protects keys and secrets in the records. Back it up: without it the records are unusable`,
    );
  return kept.secret;
}
