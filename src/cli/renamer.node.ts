// Renames clients of logs for --anonymise.
import { createHmac, randomBytes } from "node:crypto";

/** Gives each client one name within a result. The random key prevents computing names from a list of addresses. */
export function renamer(): (name: string) => string {
  const key = randomBytes(32);
  return (name) => `client-${createHmac("sha256", key).update(name).digest("hex").slice(0, 12)}`;
}
