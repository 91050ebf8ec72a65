// Seals records again: with a new key while gateways serve, or what an earlier version has left open. Each step can be
// the last one before a crash: whoever has the old key and the new one reads all there is, and goes on from there.
import { writeJson, type JsonObject } from "../json.ts";
import type { SealedAt, Secrets } from "../management.ts";
import type { RecordTypeName } from "../records/record-types.ts";
import type { WriteContext, Records, Stored } from "../records/records.ts";
import { resealFields, SEALED_FAMILIES } from "../sealed.ts";
import { checkOf, INSTALLATION, SEALED_AS } from "./installation.ts";

export interface Resealing {
  readonly records: Records;
  readonly secrets: Secrets; // with the key that is to seal all
  /** What nobody can open, under this key or another, stays as it is. */
  readonly unopened: (at: SealedAt) => void;
  /** After each transaction. */
  readonly progress: () => Promise<void> | void;
  readonly atOnce?: number; // records in a transaction
}

const AT_ONCE = 200;

/** A gateway that writes meanwhile seals with the same key; one of an earlier version may not, so it is looked again. */
const MOST_PASSES = 10;

/** How many records were sealed again. */
export async function resealAll(resealing: Resealing): Promise<number> {
  let all = 0;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    let changed = 0;
    for (const family of SEALED_FAMILIES) changed += await resealFamily(family, resealing);
    all += changed;
    if (changed === 0) return all;
  }
  throw new Error("records are sealed with another key as fast as they are sealed again");
}

async function resealFamily(
  family: RecordTypeName,
  { records, secrets, unopened, progress, atOnce = AT_ONCE }: Resealing,
): Promise<number> {
  let changed = 0;
  let piece = (await records.list(family, { size: atOnce, page: 1 })).records;
  while (piece.length > 0) {
    const rewritten = piece.flatMap((before): { before: Stored; document: JsonObject }[] => {
      if (before.isDamaged === true) return [];
      const document = resealFields(secrets, family, before.id, before.document, unopened);
      return writeJson(document) === writeJson(before.document) ? [] : [{ before, document }];
    });
    if (rewritten.length > 0) {
      changed += await records.rewrite(family, rewritten);
      await progress();
    }
    piece = await records.next(family, piece.at(-1)!, atOnce, null);
  }
  return changed;
}

/** What earlier versions have left open is sealed, and gone from the files. */
export async function sealWhatLiesOpen(
  records: Records,
  secrets: Secrets,
  atUs: number,
): Promise<number> {
  const changed = await resealAll({ records, secrets, unopened: () => {}, progress: () => {} });
  await records.wipe();
  await changeInstallation(records, { actor: "weir", operation: "seal", atUs }, (document) => ({
    ...document,
    sealed: SEALED_AS,
  }));
  return changed;
}

export interface NewKey extends Pick<Secrets, "seal"> {
  readonly pepper: string; // what hashes go on to be made with, sealed with the new key
}

/** From here on whoever writes seals with the new key, or is refused. */
export const beginRotation = (records: Records, next: NewKey, atUs: number): Promise<void> =>
  changeInstallation(records, { actor: "weir", operation: "beginKeyChange", atUs }, (document) =>
    "next" in document
      ? document
      : { ...document, next: { check: checkOf(next), pepper: next.pepper } },
  );

/** From here on the old key opens nothing. */
export const endRotation = (records: Records, atUs: number): Promise<void> =>
  changeInstallation(records, { actor: "weir", operation: "endKeyChange", atUs }, (document) => {
    const { next, ...rest } = document;
    return next === undefined ? document : { ...rest, ...(next as JsonObject) };
  });

async function changeInstallation(
  records: Records,
  audited: WriteContext,
  change: (document: JsonObject) => JsonObject,
): Promise<void> {
  await records.write(audited, async (writing) => {
    const before = await writing.read(INSTALLATION.family, INSTALLATION.id);
    if (before === null) throw new Error("there is no record of the installation");
    const document = change(before.document);
    if (document !== before.document)
      await writing.replace(INSTALLATION.family, before, document, { unique: null, text: null });
  });
}
