// Who may come in: the credential that is shown is held against the one that is known.
import { createHash, timingSafeEqual } from "node:crypto";
import { Refusal } from "../management/operation.ts";
import type { Attempts } from "./attempts.ts";

export interface Shown {
  readonly said: string | null; // null: nothing was shown, which is no attempt
  readonly address: string;
}

/** Throws a refusal. Whoever has failed too often is not even compared: it could still learn something. */
export function admit(
  attempts: Attempts,
  { said, address }: Shown,
  secret: string,
  unauthorised: string,
): void {
  if (said === null) throw new Refusal(401, unauthorised);
  const seconds = attempts.waitOf(address);
  if (seconds > 0) {
    const message = `Too many wrong credentials from this address; try again in ${seconds} s`;
    throw new Refusal(429, message, [], { "Retry-After": String(seconds) });
  }
  if (isSecret(said, secret)) return;
  attempts.failed(address);
  throw new Refusal(401, unauthorised);
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** In constant time, whatever is said and however long it is. An empty secret never opens anything. */
export function isSecret(said: string | null, secret: string): boolean {
  const isSame = timingSafeEqual(digest(said ?? ""), digest(secret));
  return isSame && secret !== "";
}
