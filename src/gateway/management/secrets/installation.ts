// The record of an installation: the key that seals its records, the key that replaces it, and the world that was
// imported.
import type { JsonObject } from "../json.ts";
import type { Secrets } from "../management.ts";
import type { RecordTypeName } from "../records/record-types.ts";
import type { RecordTransaction } from "../records/records.ts";

export const INSTALLATION = {
  family: "installation",
  id: "installation",
} as const satisfies { readonly family: RecordTypeName; readonly id: string };

const CHECKED = { ...INSTALLATION, field: "check" };
const WORDS = "sealed with the key of this installation";

/**
 * The set of sealed fields, by number: records of a lower number are sealed at the next start. A new number needs a step
 * in records/migrations.ts, so that earlier versions reject the records.
 */
export const SEALED_AS = 2;

/** A sealed text that only this key unseals. */
export const checkOf = ({ seal }: Pick<Secrets, "seal">): string => seal(WORDS, CHECKED);

/** `world` is the imported file, or null. */
export const buildInstallation = (
  secrets: Pick<Secrets, "seal">,
  world: string | null,
): JsonObject => ({
  check: checkOf(secrets),
  world,
  sealed: SEALED_AS,
});

/** Whether the records were sealed with this key. */
export function isCheckOf(check: unknown, { unseal }: Pick<Secrets, "unseal">): boolean {
  try {
    return typeof check === "string" && unseal(check, CHECKED) === WORDS;
  } catch (error) {
    if (error instanceof Error) return false; // for any reason
    throw error;
  }
}

/**
 * Called by each write that seals. If the key changes before the write is committed, the write is repeated, so nothing
 * is ever sealed with an old key.
 */
export async function useRecordedKey(
  writing: RecordTransaction,
  { useKeyOf }: Pick<Secrets, "useKeyOf">,
): Promise<void> {
  const installation = await writing.read(INSTALLATION.family, INSTALLATION.id);
  if (installation !== null) useKeyOf(installation.document);
}
