// Settings for the size of records, audit log and deliveries.
import { wholeNumber } from "../../kit/reading/shape.ts";
import { setting } from "./setting.ts";

const MEBIBYTE = 1_048_576;
const MOST = 1_000_000 * MEBIBYTE;

export const RECORD_SETTINGS = {
  "limits.record_bytes": setting(wholeNumber(1_024, 16 * MEBIBYTE), 65_536, {
    doc: "Size of a record as stored; a larger one is rejected. A body may have one field or item for each 8 of these bytes, because each takes time of the thread that serves clients.",
    takesEffect: "reload",
  }),
  "limits.audit_bytes": setting(wholeNumber(MEBIBYTE, MOST), 256 * MEBIBYTE, {
    doc: "Approximate size of the log of changes and token uses; the oldest entries are deleted first. Uses have an eighth of it, and never displace a change.",
    takesEffect: "reload",
  }),
  "limits.deliveries_bytes": setting(wholeNumber(MEBIBYTE, MOST), 64 * MEBIBYTE, {
    doc: "Approximate size of deliveries to webhooks, checked once a minute. Beyond it the oldest are deleted: first finished ones, then waiting ones, which are lost and counted.",
    takesEffect: "reload",
  }),
} as const;
