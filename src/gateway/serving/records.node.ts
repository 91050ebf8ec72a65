// Opens the records of a served gateway, checks their key, and imports the world if the records are empty.
import { many } from "../../kit/reading/legible.ts";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { commandOf } from "../../kit/command-line.ts";
import { micros } from "../../kit/units.ts";
import { NO_BUDGETS } from "../management/budgets.ts";
import { importWorld, type ImportedWorld } from "../management/import-world.ts";
import { liveConfiguration, type LiveConfiguration } from "../management/live-configuration.ts";
import type { Management, Secrets } from "../management/management.ts";
import { Rejection } from "../management/rejection.ts";
import { type RecordBounds, boundsIn } from "../management/records/bounds.ts";
import type { ReportRecords } from "../management/records/damaged.ts";
import type { RecordTypeName } from "../management/records/record-types.ts";
import type { Records, Stored } from "../management/records/records.ts";
import { prefixFailure } from "../management/records/database-failure.ts";
import type { InPostgres } from "../management/records/postgres.node.ts";
import { recordsInFile, recordsInMemory, type InFile } from "../management/records/sqlite.node.ts";
import { ownTurn } from "../management/records/turns.node.ts";
import { INSTALLATION, SEALED_AS } from "../management/secrets/installation.ts";
import { sealOpenFields } from "../management/secrets/rotation.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import type { Settings } from "../settings/table.ts";
import type { WorldRead } from "../settings/world.ts";
import { whyUnreadable } from "../../kit/reading/text-file.node.ts";
import { findKeyProblem, placeOf } from "./installation.node.ts";
import { keysOf } from "./record-keys.node.ts";
import { openWorldWarning } from "./open-world.node.ts";
import { formatSizes, sizesOf } from "./sizes.ts";
import { createUntrackedFolder } from "../../kit/reading/untracked.node.ts";
import { findFolderPrivacyProblem } from "./file-privacy.node.ts";

export interface ServedRecords {
  readonly records: Records;
  readonly inForce: LiveConfiguration;
  readonly management: Management;
}

interface ServedRecordsOptions {
  readonly settings: () => Settings; // read each time, because a reload may change them
  /** Reads the world; called only if the world is needed. Null: no setting names a world. */
  readonly world: () => WorldRead | null;
  readonly report: ReportRecords;
  /** Returns a reason not to use the records; null: none. Called when they are open, before anything is created. */
  readonly findRefusal: () => string | null;
}

interface OpenedRecords {
  readonly records: Records;
  readonly secrets: Secrets;
  readonly installation: Stored | null; // null: these records have not been used yet
}

const nowUs = () => micros(Date.now() * 1_000);
const newId = () => randomBytes(12).toString("hex");

export async function openServedRecords(
  options: ServedRecordsOptions,
): Promise<ServedRecords | Failure> {
  const readWorld = once(options.world);
  const settings = options.settings();
  const findFirstProblems = (): readonly string[] => {
    const keyProblem = findKeyProblem(settings);
    return keyProblem === null ? (readWorld()?.errors ?? []) : [`weir: ${keyProblem}`];
  };
  const early = isFresh(settings) ? findFirstProblems() : [];
  if (early.length > 0) return new Failure(...early); // nothing has been created yet
  const opened = await openRecords(settings, options.report, {
    findProblems: async (found) => {
      const problems = (await isImportDue(found)) ? findFirstProblems() : [];
      if (problems.length > 0) return problems;
      const refusal = options.findRefusal();
      return refusal === null ? [] : [`weir: ${refusal}`];
    },
    current: options.settings,
  });
  if (isFailure(opened)) return opened;
  const { records, secrets } = opened;
  const problems = await importOnce(opened, { ...options, world: readWorld });
  if (problems.length > 0) {
    await records.close();
    return new Failure(...problems);
  }
  const live = await liveConfiguration(records, secrets, {
    report: (message) => options.report(`weir: ${message}`, "a record"),
  });
  records.onWrite(live.applyOwnWrites);
  return {
    records,
    inForce: live,
    management: {
      records,
      secrets,
      features: {
        get catalogues() {
          return options.settings()["studio.catalogues"];
        },
        get pageSize() {
          return options.settings().page_size;
        },
      },
      nowUs,
      newId,
      configuration: live.configuration,
      budgets: NO_BUDGETS,
      report: (message) => options.report(`weir: ${message}`),
      applyChanges: async () => {
        await live.applyChanges();
      },
    },
  };
}

/** Whether no records exist yet, so that the world is imported. */
const isFresh = (settings: Settings): boolean =>
  settings.records === "memory" ||
  (settings.records === "sqlite" && !existsSync(placeOf(settings)));

function once<Value>(read: () => Value): () => Value {
  let found: { readonly value: Value } | null = null;
  return () => (found ??= { value: read() }).value;
}

interface OpeningRecords {
  /** Returns reasons not to use the records. Called when they are open, before anything is created. */
  readonly findProblems?: (
    found: Pick<OpenedRecords, "records" | "installation">,
  ) => Promise<readonly string[]>;
  readonly current?: ServedRecordsOptions["settings"];
  readonly isAlone?: boolean; // no other work runs in this process; see `recordsInFile`
}

/** Opens the records. Returns a failure, and changes nothing, if another key has sealed them. */
export async function openRecords(
  settings: Settings,
  report: ServedRecordsOptions["report"],
  { findProblems, current = () => settings, isAlone = false }: OpeningRecords = {},
): Promise<OpenedRecords | Failure> {
  const records = await recordsAt(settings, report, current, isAlone);
  if (isFailure(records)) return prefixFailure("weir: ", records);
  const fail = async (...problems: readonly string[]): Promise<Failure> => {
    await records.close();
    return new Failure(...problems);
  };
  const installation = await records.read(INSTALLATION.family, INSTALLATION.id);
  // Used records need their own key. If it is missing, no new key and no new secret are created.
  const known = installation === null ? null : keysOf(settings, installation, report);
  if (isFailure(known)) return fail(`weir: ${known.message}`);
  const problems = (await findProblems?.({ records, installation })) ?? [];
  if (problems.length > 0) return fail(...problems);
  const secrets = known ?? keysOf(settings, installation, report);
  if (isFailure(secrets)) return fail(`weir: ${secrets.message}`);
  if (installation !== null && installation.document["sealed"] !== SEALED_AS) {
    const count = await sealOpenFields(records, secrets, nowUs());
    if (count > 0)
      report(`weir: ${placeOf(settings)}: sealed the secrets of ${many(count, "record")}`);
  }
  return { records, secrets, installation };
}

async function recordsAt(
  settings: Settings,
  report: ServedRecordsOptions["report"],
  current: ServedRecordsOptions["settings"],
  isAlone: boolean,
): Promise<Records | Failure> {
  const bounds = (): RecordBounds => boundsIn(current());
  const { records: where, data } = settings;
  if (where === "memory") return recordsInMemory({ bounds, turn: ownTurn });
  const opening = {
    report: (message, about) => report(`weir: ${message}`, about),
    bounds,
  } satisfies InPostgres & InFile;
  if (where !== "sqlite") {
    const { recordsInPostgres } = await import("../management/records/postgres.node.ts");
    return recordsInPostgres(where, opening);
  }
  try {
    createUntrackedFolder(data, 0o700);
  } catch (error) {
    return new Failure(`${data}: ${whyUnreadable(error)}; set data (--data) to another folder`);
  }
  const privacyProblem = findFolderPrivacyProblem(data);
  return privacyProblem === null
    ? recordsInFile(placeOf(settings), { ...opening, isAlone })
    : new Failure(privacyProblem);
}

const isImportDue = async ({
  records,
  installation,
}: Pick<OpenedRecords, "records" | "installation">): Promise<boolean> =>
  !installation?.document["world"] && isEmpty(records);

/** Imports the world if the records are empty, otherwise ignores it. Returns the problems of the world. */
async function importOnce(
  { records, secrets, installation }: OpenedRecords,
  { settings, world: read, report }: ServedRecordsOptions,
): Promise<readonly string[]> {
  const where = placeOf(settings());
  const file = settings().world;
  if (!(await isImportDue({ records, installation }))) {
    if (file !== null)
      report(
        `weir: ${where} has records, so ${file} is not read; to use it, run ${commandOf(["import", file, "--replace"])}`,
      );
    return [];
  }
  const world = read();
  for (const warning of [...(world?.warnings ?? []), ...openWorldWarning(file, world)])
    report(warning);
  if (world !== null && world.errors.length > 0) return world.errors;
  const problems = await importIntoRecords(
    { records, secrets },
    worldIn(world),
    file ?? (world && "a demo"),
    false,
  );
  if (problems.length > 0) return problems;
  if (file !== null && world !== null)
    report(
      `weir: ${file} was imported into ${where}: ${formatSizes(sizesOf(world.configuration!))}${describeBareKeys(world)}`,
    );
  return [];
}

/** Imports a world. Returns its problems; if it has problems, the records are unchanged. */
export async function importIntoRecords(
  { records, secrets }: Pick<OpenedRecords, "records" | "secrets">,
  world: ImportedWorld | null,
  file: string | null,
  replaces: boolean,
): Promise<readonly string[]> {
  const audited = { actor: "weir", operation: "import", atUs: nowUs() };
  try {
    await importWorld(records, world, secrets, audited, { file, replaces, idOf: newId });
    return [];
  } catch (error) {
    if (!(error instanceof Rejection) || error.status !== 400) throw error;
    return [`${file ?? "weir"}: ${error.message}`];
  }
}

export const worldIn = (read: WorldRead | null): ImportedWorld | null =>
  read?.configuration
    ? {
        raw: read.raw as ImportedWorld["raw"],
        configuration: read.configuration,
        credentials: read.credentials,
        hashes: read.hashes,
      }
    : null;

/** Describes keys without `key_id`. They get new ids, because credentials must not become ids (MGT-C10). */
export const describeBareKeys = ({ bareKeys }: WorldRead): string =>
  bareKeys === 0 ? "" : `; ${many(bareKeys, "key")} without key_id got one`;

const IMPORTED_TYPES: readonly RecordTypeName[] = [
  "apis",
  "policies",
  "gateway",
  "users",
  "profiles",
  "webhooks",
  "catalogues",
  "keys",
];

export async function isEmpty(records: Records): Promise<boolean> {
  for (const family of IMPORTED_TYPES)
    if ((await records.list(family, { size: 1, page: 1 })).total > 0) return false;
  return true;
}
