// A credential that a client presents to a management API, and that is not the secret of the API.
import type { InterfaceName } from "../interface-name.ts";
import type { Token } from "../families/token.ts";
import type { Management } from "../management.ts";
import { Rejection } from "../rejection.ts";
import { tokenOf } from "../rights.ts";
import type { Attempts } from "./attempts.ts";

export interface PresentedCredential {
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

/** Of a credential that opens nothing. Counts it, unless it is counted already. */
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
