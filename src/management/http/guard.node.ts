// Authentication of whoever manages the gateway: compares the credential of a request with the secret of an interface.
import { createHash, timingSafeEqual } from "node:crypto";
import type { InterfaceName } from "../interface-name.ts";
import type { Token } from "../families/token.ts";
import type { Management } from "../management.ts";
import { Rejection } from "../rejection.ts";
import { tokenOf } from "../rights.ts";
import type { Attempts } from "./attempts.ts";

export interface Shown {
  readonly at: InterfaceName;
  readonly said: string | null; // null: nothing was shown, which is no attempt
  readonly address: string; // of the client, after trusted proxies
}

/** Whose token it is, if it is one, and whether it is counted as a wrong credential already. */
export async function lookedUp(
  management: Management,
  attempts: Attempts,
  { at, said, address }: Shown,
): Promise<{ readonly token: Token | null; readonly isCounted: boolean }> {
  let isCounted = false;
  const token = await tokenOf(management, said, () => {
    const guess = attempts.guess(at, address);
    isCounted = guess !== null;
    return guess;
  });
  return { token, isCounted };
}

/**
 * Throws a refusal. The right secret passes whatever was counted before: else anybody who shares an address with an
 * operator could lock the operator out.
 */
export function admit(
  attempts: Attempts,
  { at, said, address, isCounted = false }: Shown & { readonly isCounted?: boolean },
  secret: string,
  unauthorised: string,
): void {
  if (said !== null && isSecret(said, secret)) return;
  const seconds = said === null || isCounted ? 0 : attempts.fail(at, address);
  if (seconds === 0) throw new Rejection(401, unauthorised);
  const message = `Too many wrong credentials from this address; try again in ${seconds} s`;
  throw new Rejection(429, message, [], { "Retry-After": String(seconds) });
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** In constant time, whatever is said and however long it is. An empty secret never opens anything. */
export function isSecret(said: string | null, secret: string): boolean {
  const isSame = timingSafeEqual(digest(said ?? ""), digest(secret));
  return isSame && secret !== "";
}
