// Words of expectations about requests and their responses.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { checkPattern, PATTERN_TEXTS } from "./body-pattern.ts";
import {
  comparison,
  comparisonFields,
  FILTER_FIELDS,
  filterOf,
  FIRST_ATTEMPT_FIELDS,
  requireComparison,
  otherVariant,
  wantsNothing,
} from "./comparisons.ts";
import { record, word, type FieldWord } from "../../../kit/reading/record.ts";
import {
  anything,
  mapOf,
  numberFrom,
  oneOf,
  oneOrMore,
  optional,
  mandatory,
  text,
  wholeNumber,
  type Shape,
  type Json,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import { INVARIANTS, MOST_OPEN_SHARE, type OpenBound } from "../expectation.ts";
import type { Measure } from "../types.ts";
import { statusRuns } from "./values.ts";
import { duration, durationAbove0 } from "../../../kit/reading/duration.ts";

const filter = record("a filter", FILTER_FIELDS);
const countFields = comparisonFields(wholeNumber(0, Number.MAX_SAFE_INTEGER));
const oracle = oneOf(["oracle"]);
const agreeWith =
  "What the requirements allow for the same requests, computed without the gateway.";

const share = `${MOST_OPEN_SHARE * 100} %`;
const openBound: Shape<OpenBound> = record("a bound of open decisions", {
  atMost: mandatory(
    numberFrom(MOST_OPEN_SHARE, 1),
    "A share of all: 0.6 is 60 %. If every decision is open, the outcome is `inconclusive` all the same.",
  ),
  because: mandatory(text, "Why these decisions are open, as a clause; the verdict shows it."),
});
const open = optional(
  openBound,
  null,
  `If the specification leaves open more than ${share} of the decisions, because the order of requests is open or a store is away, the outcome is \`inconclusive\`. This raises the bound.`,
);

const PATTERNS =
  "`<any>`, `<string>`, `<number>`, `<integer>`, `<boolean>`, `<list>` and `<map>` match every such value, `<contains a part>` matches every string that contains the part, and `<absent>` a missing field.";

export const REQUEST_WORDS: readonly FieldWord<Measure>[] = [
  word({
    name: "sequence",
    under: filter,
    companions: {
      equals: optional(
        statusRuns,
        null,
        "The statuses in the order in which the requests were planned, `5*200 3*429`. With the word `delayed` for admitted requests that waited for their turns, and `lost` for requests without a response: `200 3*delayed 429 2*lost`.",
      ),
      agreeWith: optional(oracle, null, agreeWith),
      open,
    },
    doc: "The statuses of the requests, in planned order.",
    example: "{ id: five pass, sequence: { flow: first }, equals: 5*200 3*429 }",
    build: (read, { equals, agreeWith: agree, open: bound }, at, problems) => {
      if ((equals === null) === (agree === null))
        return scn(
          problems,
          "SCN-ONE-OF",
          at,
          'a sequence needs "equals" or "agreeWith", one of the two',
        );
      if (bound !== null && agree === null)
        return scn(problems, "SCN-ONE-OF", [...at, "open"], '"open" needs "agreeWith"');
      const measure = {
        kind: "sequence",
        filter: filterOf(read),
        equals,
        agreeWith: agree,
      } as const;
      return bound === null ? measure : { ...measure, open: bound };
    },
  }),
  word({
    name: "decisions",
    under: filter,
    companions: { agreeWith: mandatory(oracle, agreeWith), open },
    doc: "Each single decision, admitted or refused, and its headers about limits, compared with the requirements. The oracle compares every attempt with every other in its window: keep a window to some thousand.",
    example: "{ id: the text agrees, decisions: { as: alice }, agreeWith: oracle }",
    build: (read, companions) => ({
      kind: "decisions",
      filter: filterOf(read),
      agreeWith: companions.agreeWith,
      ...(companions.open !== null && { open: companions.open }),
    }),
  }),
  word({
    name: "count",
    under: filter,
    companions: {
      ...countFields,
      among: optional(
        comparison,
        null,
        "How many requests the filter selects, whatever their status. Needed if the count is to be 0.",
      ),
    },
    doc: "How many requests there are. A count that names 429 is about limits: it leaves out what was rejected before any limit, and is vacuous if nothing reached one.",
    example:
      "{ id: none is refused, count: { flow: second, status: 429 }, equals: 0, among: { atLeast: 5 } }",
    build: (read, companions, at, problems) => {
      const wanted = requireComparison(companions, at, problems);
      if (wanted === undefined) return undefined;
      if (wantsNothing(wanted) && companions.among === null)
        return scn(
          problems,
          "SCN-VACUOUS",
          at,
          "a count of 0 would also hold if nothing was sent",
          "write among how many: among: { atLeast: 100 }",
        );
      return { kind: "count", filter: filterOf(read), comparison: wanted, among: companions.among };
    },
  }),
  word({
    name: "maxInAnyWindow",
    under: record("a filter with a window", {
      ...FILTER_FIELDS,
      window: mandatory(durationAbove0, "The length of the window."),
    }),
    companions: countFields,
    doc: "The most admitted requests in any window of this length, wherever it begins. It is vacuous if no request reached a limiter.",
    example:
      "{ id: never more than five a second, maxInAnyWindow: { as: alice, window: 1s }, atMost: 5 }",
    build: (read, companions, at, problems) => {
      const wanted = requireComparison(companions, at, problems);
      return wanted === undefined
        ? undefined
        : {
            kind: "maxInAnyWindow",
            filter: filterOf(read),
            windowUs: read.window,
            comparison: wanted,
          };
    },
  }),
  word({
    name: "timeToAdmission",
    under: record("a filter with a percentile", {
      ...FIRST_ATTEMPT_FIELDS,
      percentile: optional(
        numberFrom(0, 100),
        null,
        "The comparison is with the time within which this many of 100 requests are admitted. Left out: with the time of every request.",
      ),
    }),
    companions: comparisonFields(duration),
    doc: "The time from the planned first attempt of a request to the answer that admits it, with all attempts between them (`behaviour`). The time of a request that is never admitted is infinite. The filter chooses first attempts, and has no `status` and no `gateway`. A request that reached no limiter is left out.",
    example:
      "{ id: three in four are admitted in a second, timeToAdmission: { as: alice, percentile: 75 }, atMost: 1s }",
    build: ({ percentile, ...read }, companions, at, problems) => {
      const wanted = requireComparison(companions, at, problems);
      return wanted === undefined
        ? undefined
        : {
            kind: "timeToAdmission",
            filter: filterOf({ ...read, status: null, gateway: null }),
            percentile,
            comparison: wanted,
          };
    },
  }),
  word({
    name: "gaveUp",
    under: record("a filter of first attempts", FIRST_ATTEMPT_FIELDS),
    companions: countFields,
    doc: "How many requests were never admitted, with all attempts at them (`behaviour`). The filter chooses first attempts, and has no `status` and no `gateway`. A request that reached no limiter is left out.",
    example: "{ id: at most three give up, gaveUp: { as: alice }, atMost: 3 }",
    build: (read, companions, at, problems) => {
      const wanted = requireComparison(companions, at, problems);
      return wanted === undefined
        ? undefined
        : {
            kind: "gaveUp",
            filter: filterOf({ ...read, status: null, gateway: null }),
            comparison: wanted,
          };
    },
  }),
  word({
    name: "response",
    under: record("a filter with nth", {
      ...FILTER_FIELDS,
      call: optional(
        oneOrMore(text),
        null,
        "Calls by name: compares their responses, instead of responses to requests.",
      ),
      nth: optional(
        {
          called: "a number from 0, all or last",
          schema: { anyOf: [{ enum: ["all", "last"] }, { type: "integer", minimum: 0 }] },
          read: readNth,
        },
        "all",
        "Which of the requests, from 0; `last`, or `all` of them.",
      ),
    }),
    companions: {
      matches: mandatory(
        record("an answer", {
          status: optional(wholeNumber(100, 599), null, "The status."),
          headers: optional(
            mapOf(headerValue()),
            {},
            "Headers by name, in any case; null: the header is absent.",
          ),
          body: optional(
            { ...anything, schema: { examples: PATTERN_TEXTS } },
            null,
            `Values in the body of a response that the gateway itself writes: it may have other fields too. ${PATTERNS}`,
          ),
        }),
        "What the response has.",
      ),
    },
    doc: "Status, headers and body of a response.",
    example:
      "{ id: a refusal names the time of a retry, response: { flow: first, nth: last }, matches: { status: 429, headers: { Retry-After: 1 } } }",
    build: ({ nth, call, ...read }, { matches }, at, problems) => {
      const { status, headers, body } = matches;
      if (status === null && body === null && Object.keys(headers).length === 0)
        return scn(
          problems,
          "SCN-VACUOUS",
          [...at, "matches"],
          "this matches every response",
          "name a status, a header or a part of the body",
        );
      if (!checkPattern(body, [...at, "matches", "body"], problems)) return undefined;
      const filter = filterOf(read);
      if (call === null) return { kind: "response", filter, nth, ...matches };
      const requestField = Object.entries(filter).find(([, wanted]) => wanted !== null);
      return requestField === undefined
        ? { kind: "answer", call, nth, ...matches }
        : scn(
            problems,
            "SCN-ONE-OF",
            [...at, "response", requestField[0]],
            `"${requestField[0]}" chooses requests, and "call" chooses calls`,
          );
    },
  }),
  word({
    name: "invariant",
    under: oneOf(INVARIANTS),
    companions: {},
    doc: "True of every run: each planned request is in the history, with a response or as lost (`requests`), every request gets a response, so that none is lost (`responses`), no budget admits more in any window than its algorithm may (`bounds`), none refuses before it has met that many (`refusals`), an allowance stays between threshold and rate (`allowance`) and moves by one step and one event at a time (`changes`), and a refusal with Retry-After names at least one second (`retry-after`).",
    example: "{ id: nothing above the bounds, invariant: bounds }",
    build: (rule) => ({ kind: "invariant", rule }),
  }),
  word({
    name: "sameAs",
    under: record("a filter with a variant", {
      ...FILTER_FIELDS,
      variant: mandatory(
        otherVariant,
        "The variant that has this value of an axis, all other axes being the same.",
      ),
    }),
    companions: {},
    doc: "The statuses are those of the same requests in another variant.",
    example:
      "{ id: the order does not matter, sameAs: { variant: { order: api_first }, as: alice } }",
    build: ({ variant, ...read }) => ({ kind: "sameAs", ...variant, filter: filterOf(read) }),
  }),
];

export function readNth(
  value: Json,
  at: Path,
  problems: Problem[],
): number | "all" | "last" | undefined {
  return typeof value === "number"
    ? wholeNumber(0, Number.MAX_SAFE_INTEGER).read(value, at, problems)
    : oneOf(["all", "last"]).read(value, at, problems);
}

function headerValue(): Shape<string | number | null> {
  return {
    called: "a string, a number or null",
    schema: { type: ["string", "number", "null"] },
    read: (value, at, problems) =>
      value === null || typeof value === "number" ? value : text.read(value, at, problems),
  };
}
