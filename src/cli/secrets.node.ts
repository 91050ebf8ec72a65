// Changes the key with which secrets in the records are sealed. The gateway may be running at the same time.
import { many, plural } from "../kit/reading/legible.ts";
import { existsSync, linkSync, readFileSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { commandLine } from "../kit/command-line.ts";
import { INSTALLATION, isCheckOf } from "../gateway/management/secrets/installation.ts";
import { PEPPER, pepperIn } from "../gateway/management/secrets/keyring.node.ts";
import { installationKey } from "../gateway/management/secrets/secrets.node.ts";
import { beginRotation, endRotation, resealAll } from "../gateway/management/secrets/rotation.ts";
import type { Records } from "../gateway/management/records/records.ts";
import { lockOn, type Lock } from "../gateway/management/records/sqlite-lock.node.ts";
import { whyUnusable } from "../gateway/management/records/sqlite.node.ts";
import { wallClock } from "../gateway/http/wall-clock.node.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { SHORTEST_KEY } from "../gateway/settings/shapes.ts";
import type { Settings } from "../gateway/settings/table.ts";
import type { Action } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { syncFile, syncFolder } from "../kit/reading/durable-file.node.ts";
import { keyFileOf, keyOf, nextKeyFileOf, placeOf } from "../gateway/serving/installation.node.ts";
import { readOrCreateSecret } from "../gateway/serving/secret-file.node.ts";
import { loadSettings } from "../gateway/serving/load.node.ts";
import { openSecrets, withRecords } from "./records-for-command.node.ts";
import type { Terminal } from "./terminal.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";

export const secrets: Action = async ({ operands, switches, values }, terminal, refuse) => {
  if (operands.length !== 1 || operands[0] !== "rotate")
    return refuse(`"${operands.join(" ")}" is no action; use ${commandLine("secrets rotate")}`);
  const loaded = loadSettings(values, undefined, "never");
  const fail = (sentence: string): ExitCode => {
    terminal.err(`weir secrets rotate: ${sentence}`);
    return EXIT.usage;
  };
  return withRecords(loaded, terminal, async (records) => {
    const { settings } = loaded.sound!;
    // Without a lock, the slower of two rotations could read the key that the faster one installed, and replace it.
    const lock = settings.records === "sqlite" ? lockRotation(placeOf(settings)) : null;
    if (isFailure(lock)) return fail(lock.message);
    try {
      return await rotate(records, settings, switches.has("prepare"), terminal, fail);
    } finally {
      lock?.release();
    }
  });
};

function lockRotation(place: string): Lock | Failure {
  const file = `${place}.rotation`;
  try {
    const lock = lockOn(file);
    return isFailure(lock)
      ? new Failure(`another rotation runs: ${lock.message}; wait until it ends`)
      : lock;
  } catch (error) {
    const problem = whyUnusable(error, file);
    if (problem === null) throw error;
    return new Failure(problem);
  }
}

type Fail = (sentence: string) => ExitCode;

async function rotate(
  records: Records,
  settings: Settings,
  isPreparing: boolean,
  { out, err }: Terminal,
  fail: Fail,
): Promise<ExitCode> {
  const where = placeOf(settings);
  const installation = await records.read(INSTALLATION.family, INSTALLATION.id);
  if (installation === null)
    return fail(`${where} has no key yet; ${commandLine("serve")} creates one`);
  const old = keyOf(settings, false, err);
  if (isFailure(old)) return fail(old.message);
  const file = nextKeyFileOf(settings);
  const isOver = !("next" in installation.document) && !isOfKey(installation.document, old);
  if (!isOver) {
    const isShared = settings.records !== "sqlite";
    if (isShared && !isPreparing && !existsSync(file))
      return fail(
        `${file} does not exist; --prepare creates it. Copy it to every gateway of these records, then run this again`,
      );
    // Once a rotation has begun, a next key exists. If its file is missing here, creating another would hide that.
    const canCreate = !("next" in installation.document);
    const created = readOrCreateSecret({ file, setting: "secrets.next_key_file", canCreate });
    if (isFailure(created)) return fail(created.message);
    if (isOfKey(installation.document, created.secret))
      return fail(
        `${file} holds the key that is in use already; delete it, and run this again for a new one`,
      );
    // A gateway accepts no shorter key, so the records would become unreadable.
    if (created.secret.length < SHORTEST_KEY)
      return fail(
        `${file} holds fewer than ${SHORTEST_KEY} letters, too few for a key; delete it, and run this again for a new one`,
      );
    if (isPreparing) {
      out(
        `${file} holds the next key. Copy it to every gateway of these records, then run ${commandLine("secrets rotate")}`,
      );
      return EXIT.passed;
    }
  }
  const keys = await openSecrets(settings, records, () => {});
  if (isFailure(keys)) return fail(keys.message);
  if (!isOver) {
    const next = installationKey(readFileSync(file, "utf8").trim());
    const pepper = next.seal(pepperIn(installation.document, installationKey(old)), PEPPER);
    syncFile(file); // the records will need the file, which may just have been copied here
    await beginRotation(records, { seal: next.seal, pepper }, wallClock());
    keys.useKeyOf((await records.read(INSTALLATION.family, INSTALLATION.id))!.document);
    let unopened = 0;
    const count = await resealAll({
      records,
      secrets: keys,
      onUnopened: ({ family, id, field }) => {
        unopened++;
        err(
          `weir secrets: ${family} ${id}: ${field} cannot be decrypted with either key and stays unchanged`,
        );
      },
      progress: () => {},
    });
    await endRotation(records, wallClock());
    out(
      `${where}: ${many(count, "record")} ${plural(count, "is", "are")} sealed with the new key${unopened === 0 ? "" : "; some secrets were lost before"}`,
    );
  }
  if (!(await records.eraseRemains()))
    err(
      `weir secrets: ${where}-wal is in use, and may hold secrets that the old key opens until the gateway stops`,
    );
  return putInPlace(settings, file, out, fail);
}

const isOfKey = (document: { readonly check?: unknown }, key: string): boolean =>
  isCheckOf(document.check, installationKey(key));

/** Replaces the key file. Saves the old key next to it, because earlier copies of the records need the old key. */
function putInPlace(
  settings: Settings,
  file: string,
  out: (line: string) => void,
  fail: Fail,
): ExitCode {
  if (settings["secrets.key"] !== null) {
    out(`secrets.key is set: before the next start, change it to the content of ${file}`);
    return EXIT.passed;
  }
  const key = keyFileOf(settings);
  let old: string;
  try {
    old = backUpKey(key);
    syncFolder(dirname(key));
    renameSync(file, key); // atomic, so that a key exists at every moment
    syncFolder(dirname(key));
  } catch (error) {
    return fail(
      `the records are sealed with the key in ${file}; put that file in place of ${key}: ${whyUnreadable(error)}`,
    );
  }
  out(`${key} holds the new key. Keep ${old} as long as you keep older copies of the records`);
  return EXIT.passed;
}

/** Saves the key under a free name and returns the name. Earlier keys stay, because older copies need them. */
function backUpKey(key: string): string {
  const oldKey = readFileSync(key, "utf8");
  for (let number = 1; ; number++) {
    const old = number === 1 ? `${key}.old` : `${key}.old.${number}`;
    try {
      linkSync(key, old);
      return old;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (isHeldBy(old, oldKey)) return old; // an interrupted run has already saved it
    }
  }
}

function isHeldBy(file: string, text: string): boolean {
  try {
    return readFileSync(file, "utf8") === text;
  } catch {
    return false; // an unreadable file keeps its name, and the next number is tried
  }
}
