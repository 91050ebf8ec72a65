// How large what is kept may become.
import { wholeNumber } from "../reading/shape.ts";
import { setting } from "./setting.ts";

const MEBIBYTE = 1_048_576;
const MOST = 1_000_000 * MEBIBYTE;

export const OF_RECORDS = {
  "limits.record_bytes": setting(wholeNumber(1_024, 16 * MEBIBYTE), 65_536, {
    value: "N",
    doc: "Of a record, as it is kept; more is refused. A body has at most a member or item for each 8 of them: each takes time of the thread that serves clients.",
    takesEffect: "reload",
  }),
  "limits.audit_bytes": setting(wholeNumber(MEBIBYTE, MOST), 256 * MEBIBYTE, {
    value: "N",
    doc: "Of the log of changes and of uses of tokens, about; the oldest go first. Uses have an eighth of it, and never make a change go.",
    takesEffect: "reload",
  }),
  "limits.deliveries_bytes": setting(wholeNumber(MEBIBYTE, MOST), 64 * MEBIBYTE, {
    value: "N",
    doc: "Of deliveries to webhooks, about, looked at once a minute: beyond it the oldest go, first those that are over, then those that wait, which are lost, and counted.",
    takesEffect: "reload",
  }),
} as const;
