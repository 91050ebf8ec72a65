// The record of an installation: with which key its records are sealed, which one is to come, and which world they
// came from.
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
 * The set of fields that are sealed, by number: records of a lower one are sealed at the next start. A new number needs a
 * step in records/migrations.ts, by which earlier versions refuse the records.
 */
export const SEALED_AS = 2;

/** A text that only this key opens. */
export const checkOf = ({ seal }: Pick<Secrets, "seal">): string => seal(WORDS, CHECKED);

/** `world` is the file that was taken in, null as long as there was none. */
export const installed = (secrets: Pick<Secrets, "seal">, world: string | null): JsonObject => ({
  check: checkOf(secrets),
  world,
  sealed: SEALED_AS,
});

/** Whether the records were sealed with this key. */
export function isCheckOf(check: unknown, { unseal }: Pick<Secrets, "unseal">): boolean {
  try {
    return typeof check === "string" && unseal(check, CHECKED) === WORDS;
  } catch (error) {
    if (error instanceof Error) return false; // whatever it is that does not open
    throw error;
  }
}

/**
 * For a write that seals: it is done over where the key is changed before it becomes true, so nothing is ever sealed
 * with a key that has gone.
 */
export async function heedKey(
  writing: RecordTransaction,
  { useKeyOf }: Pick<Secrets, "useKeyOf">,
): Promise<void> {
  const installation = await writing.read(INSTALLATION.family, INSTALLATION.id);
  if (installation !== null) useKeyOf(installation.document);
}
