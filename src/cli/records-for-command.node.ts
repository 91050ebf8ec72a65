// Opens the records of a gateway for a command, which may run at the same time as the gateway.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../kit/command-line.ts";
import type { Records } from "../gateway/management/records/records.ts";
import { INSTALLATION } from "../gateway/management/secrets/installation.ts";
import type { Keyring } from "../gateway/management/secrets/keyring.node.ts";
import { recordsInFile } from "../gateway/management/records/sqlite.node.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import type { Settings } from "../gateway/settings/table.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import type { Terminal } from "./terminal.ts";
import { exitCodeFor, exitCodeOf } from "./database-exit.ts";
import { keysOf } from "../gateway/serving/record-keys.node.ts";
import { boundsIn } from "../gateway/management/records/bounds.ts";
import type { Loaded } from "../gateway/serving/load.node.ts";

async function openRecordsForCommand(
  settings: Settings,
  report: (sentence: string) => void,
): Promise<Records | Failure> {
  const { records: where, data } = settings;
  const bounds = () => boundsIn(settings);
  if (where === "off")
    return new Failure(
      "records: off stores nothing; set records to sqlite or postgres://USER@HOST/NAME",
    );
  if (where === "memory")
    return new Failure(
      "records: memory stores records inside the gateway, out of reach of commands; set records to sqlite or postgres://USER@HOST/NAME",
    );
  if (where !== "sqlite") {
    const { recordsInPostgres } = await import("../gateway/management/records/postgres.node.ts");
    return recordsInPostgres(where, { report, bounds });
  }
  const file = join(data, "weir.db");
  if (!existsSync(file))
    return new Failure(`${file} does not exist yet; ${commandLine("serve")} creates it`);
  return recordsInFile(file, { report, isSecondary: true, isAlone: true, bounds });
}

/** Runs `work` with the records that the settings name, and closes them afterwards. Returns the exit code. */
export async function withRecords(
  { sound, errors }: Loaded,
  { err }: Terminal,
  work: (records: Records) => Promise<ExitCode>,
): Promise<ExitCode> {
  for (const error of errors) err(error);
  if (sound === null) return EXIT.usage;
  if (sound.isDemo && sound.settings.records === "memory") {
    err(
      "weir: without a world, weir serve is a demo with records in memory, out of reach of commands; name a world with --world, or set records",
    );
    return EXIT.usage;
  }
  const records = await openRecordsForCommand(sound.settings, (line) => err(`weir: ${line}`));
  if (isFailure(records)) {
    err(`weir: ${records.message}`);
    return exitCodeOf(records);
  }
  try {
    return await work(records).catch(exitCodeFor);
  } finally {
    await records.close();
  }
}

/** Opens the keys with which secrets are sealed. */
export async function openSecrets(
  settings: Settings,
  records: Records,
  report: (line: string) => void,
): Promise<Keyring | Failure> {
  const installation = await records.read(INSTALLATION.family, INSTALLATION.id);
  return keysOf(settings, installation, report, false);
}
