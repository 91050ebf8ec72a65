// Authenticates clients of the management APIs: compares a request's credential with the API's secret.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Attempts } from "./attempts.ts";
import { rejectionOf, type PresentedCredential } from "./presented.ts";

/**
 * Throws a rejection if the credential is wrong. The correct secret is accepted whatever the count of wrong ones is:
 * otherwise any client with an operator's address could lock the operator out.
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

/** Whether the credential is the secret, tested in constant time. An empty secret matches no credential. */
export function isSecret(credential: string | null, secret: string): boolean {
  const isSame = timingSafeEqual(digest(credential ?? ""), digest(secret));
  return isSame && secret !== "";
}
