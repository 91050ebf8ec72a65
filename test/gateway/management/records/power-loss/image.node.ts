// What a power loss has left, started as `weir serve` starts, but without its threads: its records, its key, its secrets.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { join, relative } from "node:path";
import { isFailure } from "#src/kit/reading/failure.ts";
import { openRecords } from "#src/gateway/serving/records.node.ts";
import { credentialsOf } from "#src/gateway/serving/installation.node.ts";
import { loadSettings } from "#src/gateway/serving/load.node.ts";
import type { JsonObject } from "#src/gateway/management/json.ts";
import type { Secrets } from "#src/gateway/management/management.ts";
import type { Records, Stored } from "#src/gateway/management/records/records.ts";
import type { Rng } from "#src/kit/chance/rng.ts";
import type { DiskImage } from "./disk.ts";
import { KEYS_OF_WORLD, secretOf, type ExpectedRecord, type ExpectedState } from "./expected.ts";
import { CONFIG, configFile, WORLD } from "./workload.node.ts";

/** A map in memory without guarantees: it is gone, or has any content. */
const SHARED_MEMORY = "weir.db-shm";

/** Messages of a start before the key was written, or during its change. A lost key fails to unseal the records. */
const HARMLESS =
  /created \S+, which protects|is being rotated; weir secrets rotate|is sealed with the key of/;

export const UNSTARTED = "it does not start";

/** Files of the image, as if `root` had been mounted at `folder`. */
export function writeImage(image: DiskImage, root: string, folder: string, random: Rng): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(configFile(folder), CONFIG);
  writeFileSync(join(folder, "world.yaml"), WORLD, { mode: 0o600 });
  const placeOf = (path: string): string => join(folder, path.slice(root.length));
  for (const path of image.folders) mkdirSync(placeOf(path), { mode: 0o700 });
  for (const [path, bytes] of image.files) {
    const isShared = path.endsWith(SHARED_MEMORY);
    if (isShared && random.int(2) === 0) continue;
    const content = isShared ? bytes.map(() => random.int(256)) : bytes;
    writeFileSync(placeOf(path), content, { mode: 0o600 });
  }
}

/** Problems; empty: every answered change is stored, and none in part. */
export async function problemsInImage(
  folder: string,
  state: ExpectedState,
): Promise<readonly string[]> {
  const { sound, errors } = loadSettings(new Map([["config", configFile(folder)]]));
  if (sound === null) throw new Error(errors.join("; "));
  const { settings } = sound;
  const problems: string[] = [];
  const secretFaults = async (): Promise<readonly string[]> => {
    const credentials = credentialsOf(settings, () => {});
    if (isFailure(credentials)) return [`weir: ${credentials.message}`];
    for (const name of ["admin", "dashboard"] as const)
      if (state.secrets !== null && credentials[name] !== state.secrets[name])
        problems.push(`the secret of ${name} is another one`);
    return [];
  };
  const report = (line: string): void => {
    if (!HARMLESS.test(line)) problems.push(line);
  };
  try {
    const opened = await openRecords(settings, report, {
      findProblems: secretFaults,
      isAlone: true,
    });
    if (isFailure(opened)) {
      const why = opened.problems.join("; ").replaceAll(`${relative(".", folder)}/`, "");
      return [...problems, `${UNSTARTED}: ${why}`];
    }
    try {
      problems.push(...(await problemsInRecords(opened.records, opened.secrets, state)));
    } finally {
      await opened.records.close();
    }
  } catch (error) {
    problems.push(`its records cannot be used: ${String(error)}`);
  }
  problems.push(...integrityProblems(join(folder, "data/weir.db")));
  return problems;
}

function integrityProblems(file: string): readonly string[] {
  const database = new DatabaseSync(file);
  try {
    const rows = database.prepare("pragma integrity_check").all();
    return rows[0]?.["integrity_check"] === "ok"
      ? []
      : [`integrity_check: ${JSON.stringify(rows)}`];
  } catch (error) {
    return [`integrity_check: ${String(error)}`];
  } finally {
    database.close();
  }
}

async function problemsInRecords(
  records: Records,
  secrets: Secrets,
  state: ExpectedState,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const all = new Map<string, Stored>();
  for (const family of ["keys", "users"] as const)
    for (const record of (await records.list(family, null)).records)
      all.set(`${family} ${record.id}`, record);
  const ofWorld = [...all.keys()].filter((id) => id.startsWith("keys world-")).length;
  if (ofWorld !== KEYS_OF_WORLD && (ofWorld !== 0 || state.secrets !== null))
    problems.push(`${ofWorld} keys of the world, of ${KEYS_OF_WORLD}`);
  for (const [id, expected] of state.records) {
    const record = all.get(`${expected.family} ${id}`);
    problems.push(...problemsInRecord(id, record, expected, secrets));
  }
  // Each change is one transaction with its audit entry: neither is stored without the other.
  const audited = new Map<string, string | null>();
  for (const { family, id, after } of await records.listAudit(Number.MAX_SAFE_INTEGER))
    if ((family === "keys" || family === "users") && !audited.has(`${family} ${id}`))
      audited.set(`${family} ${id}`, after === null ? null : valueIn(after));
  for (const name of new Set([...all.keys(), ...audited.keys()])) {
    const document = all.get(name)?.document;
    const there = document === undefined ? null : valueIn(document);
    const auditedValue = audited.get(name);
    if (there !== auditedValue)
      problems.push(`${name} is ${there}, and its audit ends with ${auditedValue}`);
  }
  await records.write({ actor: "test", operation: "go on", atUs: 0 }, (writing) =>
    writing.insert("keys", "afterwards", {}, { unique: null, text: null }),
  );
  return problems;
}

function problemsInRecord(
  id: string,
  record: Stored | undefined,
  { family, answered, requested }: ExpectedRecord,
  secrets: Secrets,
): readonly string[] {
  const document = record?.document;
  const value = document === undefined ? null : valueIn(document);
  if (![answered, requested].some((each) => value === (each === null ? null : `${each}`)))
    return [`${family} ${id} is lost: it is ${value}, and ${answered} was answered`];
  if (document === undefined) return [];
  const field = family === "keys" ? "hmac_string" : "access_key";
  const sealed = document[field];
  try {
    const open = secrets.unseal(typeof sealed === "string" ? sealed : "", { family, id, field });
    return open === secretOf(Number(value)) ? [] : [`${family} ${id} is half there: ${open}`];
  } catch (error) {
    return [`${family} ${id}: ${field} does not open: ${String(error)}`];
  }
}

/** Empty for the keys of the world, which never change. */
function valueIn(document: JsonObject): string {
  const value = document["alias"] ?? document["first_name"];
  return typeof value === "string" ? value : "";
}
