// Imports a world file into the records, on a user's command.
import { goneAfter } from "../gateway/management/import-world.ts";
import { isFailure } from "../kit/reading/failure.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { exitCodeFor, exitCodeOf } from "./database-exit.ts";
import { placeOf } from "../gateway/serving/installation.node.ts";
import { loadSettings } from "../gateway/serving/load.node.ts";
import {
  isEmpty,
  describeBareKeys,
  openRecords,
  importIntoRecords,
  worldIn,
} from "../gateway/serving/records.node.ts";
import { formatSizes, sizesOf } from "../gateway/serving/sizes.ts";
import { readWorldFile } from "../gateway/settings/world.ts";
import { readText } from "../kit/reading/text-file.node.ts";

const MOST_NAMED = 20;

function describeGone(gone: Awaited<ReturnType<typeof goneAfter>>): string {
  const more = gone.length - MOST_NAMED;
  const named = gone.slice(0, MOST_NAMED).map(([family, id]) => `${family}/${id}`);
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

export const importFile: Action = async ({ operands, values, switches }, { out, err }, refuse) => {
  const file = operands[0]!;
  const { sound, errors } = loadSettings(values, undefined, "never");
  for (const error of errors) err(error);
  if (sound === null) return EXIT.usage;
  const { settings } = sound;
  if (settings.records === "off" || settings.records === "memory")
    return refuse(
      `records: ${settings.records} stores nothing to import into; set records to sqlite or postgres://USER@HOST/NAME`,
    );
  const text = readText(file);
  if (isFailure(text)) {
    err(text.message);
    return EXIT.usage;
  }
  const read = readWorldFile({ file, text }, { allowsDanglingNames: true });
  for (const line of [...read.warnings, ...read.errors]) err(line);
  const world = worldIn(read);
  if (world === null) return EXIT.usage;
  const opened = await openRecords(settings, err, { isAlone: true }).catch(exitCodeFor);
  if (typeof opened === "number") return opened;
  if (isFailure(opened)) {
    for (const problem of opened.problems) err(problem);
    return exitCodeOf(opened);
  }
  const where = placeOf(settings);
  try {
    if (!switches.has("replace") && !(await isEmpty(opened.records))) {
      err(
        `weir import: ${where} has records; --replace replaces their APIs, policies, keys and options`,
      );
      return EXIT.usage;
    }
    if (switches.has("replace")) {
      const gone = await goneAfter(opened.records, world, opened.secrets);
      if (gone.length > 0) err(`weir import: ${file} lacks ${describeGone(gone)} of ${where}`);
      if (gone.length > 0 && !switches.has("yes")) {
        err("weir import: nothing has been changed; --yes deletes them");
        return EXIT.usage;
      }
    }
    const unfit = await importIntoRecords(opened, world, file, switches.has("replace"));
    for (const problem of unfit) err(problem);
    if (unfit.length > 0) return EXIT.usage;
    out(
      `${file} was imported into ${where}: ${formatSizes(sizesOf(world.configuration))}${describeBareKeys(read)}`,
    );
    return EXIT.passed;
  } catch (error) {
    return exitCodeFor(error);
  } finally {
    await opened.records.close();
  }
};
