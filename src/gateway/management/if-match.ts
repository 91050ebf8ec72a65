// Versions of records as ETags, so that a client overwrites no change that it has not read (RFC 9110, 13.1.1).
import { Rejection } from "./rejection.ts";
import type { Stored } from "./records/records.ts";

export const etagOf = ({ version }: Stored): string => `"${version}"`;

export const VERSIONED = { ETag: "The version of the record, for If-Match" } as const;

/** Throws 412 if no tag matches. A weak tag never matches: it does not identify the exact bytes of a record. */
export function requireVersion(ifMatch: string | null, stored: Stored): void {
  if (ifMatch === null) return;
  const etag = etagOf(stored);
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes("*") || tags.includes(etag)) return;
  throw new Rejection(412, `The record has changed: its version is ${etag}`, [], { ETag: etag });
}
