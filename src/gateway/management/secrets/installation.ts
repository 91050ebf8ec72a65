// The record of an installation: the checks of its key and, during a change, of the next one; the imported file's name.
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
 * The number of the set of sealed fields. Records with a lower number are sealed again at the next start. A new number
 * needs a step in records/migrations.ts, so that earlier versions reject the records.
 */
export const SEALED_AS = 2;

/** A check: a sealed text that only this key unseals. */
export const checkOf = ({ seal }: Pick<Secrets, "seal">): string => seal(WORDS, CHECKED);

/** `world` is the name of the imported file; null: none. */
export const buildInstallation = (
  secrets: Pick<Secrets, "seal">,
  world: string | null,
): JsonObject => ({
  check: checkOf(secrets),
  world,
  sealed: SEALED_AS,
});

/** Whether the key has sealed this check. */
export function isCheckOf(check: unknown, { unseal }: Pick<Secrets, "unseal">): boolean {
  try {
    return typeof check === "string" && unseal(check, CHECKED) === WORDS;
  } catch (error) {
    if (error instanceof Error) return false; // every error means that another key has sealed it
    throw error;
  }
}

/**
 * Selects the key that the records name. Every write that seals a value calls this first. If the key changes before the
 * commit, the write is repeated, so no value is sealed with an old key.
 */
export async function useRecordedKey(
  writing: RecordTransaction,
  { useKeyOf }: Pick<Secrets, "useKeyOf">,
): Promise<void> {
  const installation = await writing.read(INSTALLATION.family, INSTALLATION.id);
  if (installation !== null) useKeyOf(installation.document);
}
