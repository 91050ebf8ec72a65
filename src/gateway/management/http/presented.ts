// Credentials that clients present to a management API and that are not its secret.
import type { InterfaceName } from "../interface-name.ts";
import type { Token } from "../families/token.ts";
import type { Management } from "../management.ts";
import { Rejection } from "../rejection.ts";
import { tokenOf } from "../rights.ts";
import type { Attempts } from "./attempts.ts";

export interface PresentedCredential {
  readonly at: InterfaceName;
  readonly credential: string | null; // null: the request has none, and is not counted
  readonly address: string; // of the client, as trusted proxies report it
}

/** Finds the token whose secret is the credential. `isCounted`: the credential is already counted as wrong. */
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

/** The rejection of a credential without access. Counts it, unless it is counted already. */
export function rejectionOf(
  attempts: Attempts,
  { at, credential, address, isCounted }: PresentedCredential & { readonly isCounted: boolean },
  unauthorised: string,
): Rejection {
  const seconds = credential === null || isCounted ? 0 : attempts.fail(at, address);
  if (seconds === 0) return new Rejection(401, unauthorised);
  const message = `Too many wrong credentials from this address; try again in ${seconds} s`;
  return new Rejection(429, message, [], { "Retry-After": String(seconds) });
}
