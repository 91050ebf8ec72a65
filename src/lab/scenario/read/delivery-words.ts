// Words of expectations about deliveries to webhooks.
import { checkPattern, PATTERN_TEXTS } from "./body-pattern.ts";
import { comparison, comparisonFields, comparisonIn, during } from "./comparisons.ts";
import { record, word, type FieldWord } from "../../../kit/reading/record.ts";
import { readNth } from "./request-words.ts";
import {
  anything,
  oneOrMore,
  optional,
  text,
  wholeNumber,
  type Json,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import type { Measure } from "../types.ts";

const counts = comparisonFields(wholeNumber(0, Number.MAX_SAFE_INTEGER));
/** A value or a pattern. Editors display the examples. */
const part = (doc: string, ...examples: readonly Json[]) =>
  optional({ ...anything, schema: { examples: [...examples, ...PATTERN_TEXTS] } }, null, doc);

const matched = {
  delivery: part("Its id."),
  attempt: part("Its number, from 1.", 1),
  method: part("The method.", "POST"),
  url: part("The URL to which it was sent."),
  headers: part("Headers by name, in small letters."),
  body: part("The body."),
  status: part("The status of the response; `<absent>`: there was none.", 200),
  error: part("Why it failed; `<absent>`: it did not fail."),
  state: part(
    "The state of the delivery in the records at the end of the run: waiting, delivered or dead.",
    "waiting",
    "delivered",
    "dead",
  ),
};

/** Leaves out the fields that the file does not name, because a pattern compares only named fields. */
const withoutNulls = (read: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null));

export const DELIVERY_WORDS: readonly FieldWord<Measure>[] = [
  word({
    name: "deliveries",
    under: record("a choice of attempts", {
      webhook: optional(oneOrMore(text), null, "Webhooks, by id."),
      event: optional(text, null, "An event that a webhook may list; `*` matches any string."),
      url: optional(text, null, "The URL to which they were sent."),
      during: optional(during.shape, null, "Sent from the first time to before the second."),
      nth: optional(
        {
          called: "a number from 0, all or last",
          schema: { anyOf: [{ enum: ["all", "last"] }, { type: "integer", minimum: 0 }] },
          read: readNth,
        },
        "all",
        "Which attempt, from 0 in the order in which they were sent; or `last`, or `all`.",
      ),
    }),
    companions: {
      ...counts,
      ids: optional(comparison, null, "How many deliveries they belong to."),
      matches: optional(
        record("an attempt", matched),
        null,
        "Fields that each of them has, compared like the body of a response.",
      ),
    },
    doc: "Attempts to deliver events to webhooks: their fields, and their number. Only in virtual time, and until a day after the end of the run.",
    example:
      "{ id: the webhook receives refusals, deliveries: { webhook: hook, nth: 0 }, matches: { status: 200, body: { event: RatelimitExceeded } } }",
    build: (read, { ids, matches, ...companions }, at, problems) => {
      const count = comparisonIn(companions, at, problems);
      if (count === undefined) return undefined;
      const wanted = matches === null ? null : withoutNulls(matches);
      const isEmpty = wanted === null || Object.keys(wanted).length === 0;
      if (count === null && ids === null && isEmpty)
        return scn(
          problems,
          "SCN-MISSING-FIELD",
          at,
          '"deliveries" needs a comparison of their number, "ids" or "matches"',
        );
      if (!checkPattern(wanted, [...at, "matches"], problems)) return undefined;
      return { kind: "deliveries", ...read, count, ids, matches: isEmpty ? null : wanted };
    },
  }),
];
