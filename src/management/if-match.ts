// Versions as HTTP tells them, so that nobody overwrites what he has not seen (RFC 9110, 13.1.1).
import { Refusal } from "./refusal.ts";
import type { Stored } from "./records/records.ts";

export const etagOf = ({ version }: Stored): string => `"${version}"`;

export const VERSIONED = { ETag: "The version of the record, for If-Match" } as const;

/** A weak tag matches nothing here: it would not say that the record is the same to the last letter. */
export function mustMatch(ifMatch: string | null, stored: Stored): void {
  if (ifMatch === null) return;
  const etag = etagOf(stored);
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes("*") || tags.includes(etag)) return;
  throw new Refusal(412, `The record has changed: its version is ${etag}`, [], { ETag: etag });
}
