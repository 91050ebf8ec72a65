// The records of a served gateway: opened, held against the key of the installation, and at first filled from the
// world.
import { randomBytes } from "node:crypto";
import { micros } from "../core/units.ts";
import { NO_BUDGETS } from "../management/budgets.ts";
import { importWorld, type ImportedWorld } from "../management/import-world.ts";
import { liveConfiguration, type LiveConfiguration } from "../management/in-force.ts";
import type { Management, Secrets } from "../management/management.ts";
import { Rejection } from "../management/rejection.ts";
import type { RecordBounds } from "../management/records/bounds.ts";
import type { ReportRecords } from "../management/records/damaged.ts";
import type { RecordTypeName } from "../management/records/record-types.ts";
import type { Records, Stored, Unopened } from "../management/records/records.ts";
import type { InPostgres } from "../management/records/postgres.node.ts";
import { recordsInFile, recordsInMemory, type InFile } from "../management/records/sqlite.node.ts";
import { ownTurn } from "../management/records/turns.node.ts";
import { INSTALLATION, SEALED_AS } from "../management/secrets/installation.ts";
import { sealOpenFields } from "../management/secrets/rotation.ts";
import type { Settings } from "../settings/table.ts";
import type { WorldRead } from "../settings/world.ts";
import { whyUnreadable } from "../reading/text-file.node.ts";
import { placeOf } from "./installation.node.ts";
import { keysOf } from "./keys-of.node.ts";
import { openWorldWarning } from "./open-world.node.ts";
import { boundsIn } from "./record-bounds.ts";
import { amount, counted, sizesOf } from "./sizes.ts";
import { makeUntracked } from "../reading/untracked.node.ts";
import { whyFolderNotPrivate } from "./whether-private.node.ts";

export interface Held {
  readonly records: Records;
  readonly inForce: LiveConfiguration;
  readonly management: Management;
}

export interface Holding {
  readonly settings: () => Settings; // asked again each time, because a reload may change them
  /** The world that the settings name, read where it is wanted. Null: they name none. */
  readonly world: () => WorldRead | null;
  readonly tell: ReportRecords;
  /** The records are there, and nothing has been made for them. A text: why they are not wanted all the same. */
  readonly found: () => string | null;
}

export interface NotHeld extends Pick<Unopened, "isOutage"> {
  readonly faults: readonly string[];
}

export interface Opened {
  readonly records: Records;
  readonly secrets: Secrets;
  readonly installation: Stored | null; // null: nobody has used these records yet
}

const nowUs = () => micros(Date.now() * 1_000);
const newId = () => randomBytes(12).toString("hex");

export async function holdRecords(holding: Holding): Promise<Held | NotHeld> {
  const opened = await openRecords(
    holding.settings(),
    holding.tell,
    holding.found,
    holding.settings,
  );
  if ("faults" in opened) return opened;
  const { records, secrets } = opened;
  const faults = await takeIn(opened, holding);
  if (faults.length > 0) {
    await records.close();
    return { faults };
  }
  const force = await liveConfiguration(records, secrets, {
    report: (said) => holding.tell(`weir: ${said}`, "a record"),
  });
  records.onWrite(force.applyOwnWrites);
  return {
    records,
    inForce: force,
    management: {
      records,
      secrets,
      features: {
        get catalogues() {
          return holding.settings()["studio.catalogues"];
        },
        get pageSize() {
          return holding.settings().page_size;
        },
      },
      nowUs,
      newId,
      configuration: force.configuration,
      budgets: NO_BUDGETS,
      report: (said) => holding.tell(`weir: ${said}`),
      applyChanges: async () => {
        await force.applyChanges();
      },
    },
  };
}

/** What another key has sealed stays closed. */
export async function openRecords(
  settings: Settings,
  tell: Holding["tell"],
  found: Holding["found"] = () => null,
  current: Holding["settings"] = () => settings,
): Promise<Opened | NotHeld> {
  const records = await recordsAt(settings, tell, current);
  if ("fault" in records) return { ...records, faults: [`weir: ${records.fault}`] };
  const refuse = async (fault: string): Promise<NotHeld> => {
    await records.close();
    return { faults: [`weir: ${fault}`] };
  };
  const installation = await records.read(INSTALLATION.family, INSTALLATION.id);
  const unwanted = found();
  if (unwanted !== null) return refuse(unwanted);
  const secrets = keysOf(settings, installation, tell);
  if ("fault" in secrets) return refuse(secrets.fault);
  if (installation !== null && installation.document["sealed"] !== SEALED_AS) {
    const count = await sealOpenFields(records, secrets, nowUs());
    if (count > 0)
      tell(
        `weir: ${placeOf(settings)}: secrets in ${amount(count, "record", "records")} were sealed`,
      );
  }
  return { records, secrets, installation };
}

export async function recordsAt(
  settings: Settings,
  tell: Holding["tell"],
  current: Holding["settings"],
): Promise<Records | Unopened> {
  const bounds = (): RecordBounds => boundsIn(current());
  const { records: where, data } = settings;
  if (where === "memory") return recordsInMemory({ bounds, turn: ownTurn });
  const opening = {
    report: (message, about) => tell(`weir: ${message}`, about),
    bounds,
  } satisfies InPostgres & InFile;
  if (where !== "sqlite") {
    const { recordsInPostgres } = await import("../management/records/postgres.node.ts");
    return recordsInPostgres(where, opening);
  }
  try {
    makeUntracked(data, 0o700);
  } catch (error) {
    return { fault: `${data}: ${whyUnreadable(error)}; data (--data) says another folder` };
  }
  const open = whyFolderNotPrivate(data);
  return open === null ? recordsInFile(placeOf(settings), opening) : { fault: open };
}

/** Once, into records that hold nothing; later they are what counts. */
async function takeIn(
  { records, secrets, installation }: Opened,
  { settings, world: read, tell }: Holding,
): Promise<readonly string[]> {
  const where = placeOf(settings());
  const file = settings().world;
  if (installation?.document["world"] || !(await isEmpty(records))) {
    if (file !== null)
      tell(`weir: ${where} has records, so ${file} is not read; weir import --replace takes it in`);
    return [];
  }
  const world = read();
  for (const said of [...(world?.warnings ?? []), ...openWorldWarning(file, world)]) tell(said);
  if (world !== null && world.faults.length > 0) return world.faults;
  const unfit = await takeWorldIn(
    { records, secrets },
    worldIn(world),
    file ?? (world && "a demo"),
    false,
  );
  if (unfit.length > 0) return unfit;
  if (file !== null && world !== null)
    tell(
      `weir: ${file} was imported into ${where}: ${counted(sizesOf(world.configuration!))}${named(world)}`,
    );
  return [];
}

/** Answers what of it cannot be kept: then nothing has been changed. */
export async function takeWorldIn(
  { records, secrets }: Pick<Opened, "records" | "secrets">,
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

/** A credential is never an id here (MGT-C10). */
export const named = ({ bareKeys }: WorldRead): string =>
  bareKeys === 0 ? "" : `; ${amount(bareKeys, "key", "keys")} without key_id got one`;

const FILLED: readonly RecordTypeName[] = [
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
  for (const family of FILLED)
    if ((await records.list(family, { size: 1, page: 1 })).total > 0) return false;
  return true;
}
