// A digest of a history, short enough to compare by eye.
import { createHash } from "node:crypto";

export function digest(chunks: Iterable<string>): string {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex").slice(0, 16);
}
