// Authenticates clients of the management APIs: compares the credential of a request with the secret of an API.
import { createHash, timingSafeEqual } from "node:crypto";
import type { InterfaceName } from "../interface-name.ts";
import type { Token } from "../families/token.ts";
import type { Management } from "../management.ts";
import { Rejection } from "../rejection.ts";
import { tokenOf } from "../rights.ts";
import type { Attempts } from "./attempts.ts";

interface PresentedCredential {
  readonly at: InterfaceName;
  readonly credential: string | null; // null: none was sent, which is no attempt
  readonly address: string; // of the client, after trusted proxies
}

/** The token with this secret, if there is one, and whether the credential is already counted as wrong. */
export async function findToken(
  management: Management,
  attempts: Attempts,
  { at, credential, address }: PresentedCredential,
): Promise<{ readonly token: Token | null; readonly isCounted: boolean }> {
  let isCounted = false;
  const token = await tokenOf(management, credential, () => {
    const guess = attempts.guess(at, address);
    isCounted = guess !== null;
    return guess;
  });
  return { token, isCounted };
}

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
  const seconds = credential === null || isCounted ? 0 : attempts.fail(at, address);
  if (seconds === 0) throw new Rejection(401, unauthorised);
  const message = `Too many wrong credentials from this address; try again in ${seconds} s`;
  throw new Rejection(429, message, [], { "Retry-After": String(seconds) });
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Takes constant time for any credential of any length. An empty secret matches nothing. */
export function isSecret(credential: string | null, secret: string): boolean {
  const isSame = timingSafeEqual(digest(credential ?? ""), digest(secret));
  return isSame && secret !== "";
}
