// Renames clients of logs for --anonymise.
import { createHmac, randomBytes } from "node:crypto";

/** A client has one name within a result. Names cannot be computed from a list of addresses: the key is random. */
export function renamer(): (name: string) => string {
  const key = randomBytes(32);
  return (name) => `client-${createHmac("sha256", key).update(name).digest("hex").slice(0, 12)}`;
}
