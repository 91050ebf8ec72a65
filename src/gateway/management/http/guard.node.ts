// Authenticates clients of the management APIs: compares the credential of a request with the secret of an API.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Attempts } from "./attempts.ts";
import { rejectionOf, type PresentedCredential } from "./presented.ts";

/**
 * Throws a rejection. The correct secret is accepted whatever was counted before: otherwise any client that shares an
 * address with an operator could lock the operator out.
 */
export function admit(
  attempts: Attempts,
  {
    at,
    credential,
    address,
    isCounted = false,
  }: PresentedCredential & { readonly isCounted?: boolean },
  secret: string,
  unauthorised: string,
): void {
  if (credential !== null && isSecret(credential, secret)) return;
  throw rejectionOf(attempts, { at, credential, address, isCounted }, unauthorised);
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Takes constant time for any credential of any length. An empty secret matches nothing. */
export function isSecret(credential: string | null, secret: string): boolean {
  const isSame = timingSafeEqual(digest(credential ?? ""), digest(secret));
  return isSame && secret !== "";
}
