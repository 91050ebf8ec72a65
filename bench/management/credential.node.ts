// The credentials of the keys in the records of the suite management.
import { createHash } from "node:crypto";

export const credential = (index: number): string => `a-key-that-is-long-enough-${index}`;

export const hashOf = (secret: string): string =>
  createHash("sha256").update(secret).digest("base64url");
