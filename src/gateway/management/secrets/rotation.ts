// Seals records again while gateways serve: with a new key, or because an earlier version left fields unsealed. After a
// crash at any step, a process with both keys can read all records and continue.
import { writeJson, type JsonObject } from "../json.ts";
import type { SealedAt, Secrets } from "../management.ts";
import type { RecordTypeName } from "../records/record-types.ts";
import type { WriteContext, Records, Stored } from "../records/records.ts";
import { resealFields, SEALED_FAMILIES } from "../sealed.ts";
import { checkOf, INSTALLATION, SEALED_AS } from "./installation.ts";

interface ResealOptions {
  readonly records: Records;
  readonly secrets: Secrets; // its key is the one that all records shall have
  /** Reports a value that no available key unseals; it stays unchanged. */
  readonly onUnopened: (at: SealedAt) => void;
  /** Called after each transaction. */
  readonly progress: () => Promise<void> | void;
  readonly atOnce?: number; // records in one transaction
}

const AT_ONCE = 200;

/** The most passes over all records. Passes repeat until one changes nothing: a gateway may still use another key. */
const MOST_PASSES = 10;

/** Returns how many records were sealed again. */
export async function resealAll(resealing: ResealOptions): Promise<number> {
  let all = 0;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    let changed = 0;
    for (const family of SEALED_FAMILIES) changed += await resealFamily(family, resealing);
    all += changed;
    if (changed === 0) return all;
  }
  throw new Error("gateways still seal records with another key; stop them, and then try again");
}

async function resealFamily(
  family: RecordTypeName,
  { records, secrets, onUnopened, progress, atOnce = AT_ONCE }: ResealOptions,
): Promise<number> {
  let changed = 0;
  let piece = (await records.list(family, { size: atOnce, page: 1 })).records;
  while (piece.length > 0) {
    const rewritten = piece.flatMap((before): { before: Stored; document: JsonObject }[] => {
      if (before.isDamaged === true) return [];
      const document = resealFields(secrets, family, before.id, before.document, onUnopened);
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

/** Seals fields that earlier versions left unsealed, and erases the old values from the files. */
export async function sealOpenFields(
  records: Records,
  secrets: Secrets,
  atUs: number,
): Promise<number> {
  const changed = await resealAll({ records, secrets, onUnopened: () => {}, progress: () => {} });
  await records.wipe();
  await changeInstallation(records, { actor: "weir", operation: "seal", atUs }, (document) => ({
    ...document,
    sealed: SEALED_AS,
  }));
  return changed;
}

interface NewKey extends Pick<Secrets, "seal"> {
  readonly pepper: string; // the pepper of all hashes, sealed with the new key
}

/** Stores the value that recognises the new key. From then on, every write seals with the new key or is rejected. */
export const beginRotation = (records: Records, next: NewKey, atUs: number): Promise<void> =>
  changeInstallation(records, { actor: "weir", operation: "beginKeyChange", atUs }, (document) =>
    "next" in document
      ? document
      : { ...document, next: { check: checkOf(next), pepper: next.pepper } },
  );

/** Makes the new key the only key of the records. From then on, the old key unseals no value. */
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
