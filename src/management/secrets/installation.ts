// The record of an installation: with which key its records are sealed, and which world they came from.
import type { JsonObject } from "../json.ts";
import type { Secrets } from "../management.ts";
import type { Family } from "../records/family.ts";
import type { Stored } from "../records/records.ts";

export const INSTALLATION = {
  family: "installation",
  id: "installation",
} as const satisfies { readonly family: Family; readonly id: string };

const CHECKED = { ...INSTALLATION, field: "check" };
const WORDS = "sealed with the key of this installation";

/** `world` is the file that was taken in, null as long as there was none. */
export const installed = (secrets: Secrets, world: string | null): JsonObject => ({
  check: secrets.seal(WORDS, CHECKED),
  world,
});

/** Whether the records were sealed with this key. */
export function isOfThisKey({ document }: Stored, secrets: Secrets): boolean {
  const { check } = document;
  try {
    return typeof check === "string" && secrets.unseal(check, CHECKED) === WORDS;
  } catch (error) {
    if (error instanceof Error) return false; // whatever it is that does not open
    throw error;
  }
}
