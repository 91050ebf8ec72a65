// Words of expectations about the cost of a limit and about the configuration.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import {
  acrossFields,
  acrossIn,
  comparisonFields,
  comparisonIn,
  FILTER_FIELDS,
  filterOf,
} from "./comparisons.ts";
import { record, word, type FieldWord } from "../../../kit/reading/record.ts";
import {
  listOf,
  numberFrom,
  oneOf,
  optional,
  mandatory,
  text,
  type Values,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import type { Filter, Measure, Quantity } from "../types.ts";

const quantityFields = { ...comparisonFields(numberFrom(0)), ...acrossFields };

function quantityMeasure(
  quantity: Quantity,
  filter: Filter,
  read: Values<typeof quantityFields>,
  at: Path,
  problems: Problem[],
): Measure | undefined {
  const { growsWith, constantIn, lessThan, ...compared } = read;
  const alone = comparisonIn(compared, at, problems);
  const across = acrossIn({ growsWith, constantIn, lessThan }, at, problems);
  if (alone === undefined || across === undefined) return undefined;
  const comparison = alone ?? across;
  if (comparison === null || (alone !== null && across !== null))
    return scn(
      problems,
      "SCN-ONE-OF",
      at,
      `this needs one of ${Object.keys(quantityFields).join(", ")}`,
    );
  return { kind: "quantity", quantity, filter, comparison };
}

const perField = oneOf(["request", "peak", "total"]);

const storeWord = (
  name: "storeOps" | "storeEntries" | "storeBytes",
  doc: string,
  example: string,
): FieldWord<Measure> =>
  word({
    name,
    under: record("a choice of store work", {
      ...FILTER_FIELDS,
      per: optional(
        perField,
        name === "storeOps" ? "request" : "peak",
        `For each request on average, at the highest moment, or in all.${name === "storeBytes" ? " Bytes are counted after each of the first 200 steps of a small plan, else at some steps." : ""}`,
      ),
    }),
    companions: quantityFields,
    doc,
    example,
    build: ({ per, ...read }, companions, at, problems) =>
      quantityMeasure({ of: name, per }, filterOf(read), companions, at, problems),
  });

const problem = record("a problem", {
  code: mandatory(text, "Its code, such as CFG-RATE-RANGE."),
  path: optional(
    text,
    null,
    "Where in the world, joined by dots: keys.alice.rate. Left out: anywhere.",
  ),
});

export const COST_WORDS: readonly FieldWord<Measure>[] = [
  storeWord(
    "storeOps",
    "Operations on the store: commands, and what a script does inside.",
    "{ id: constant cost, storeOps: { per: request }, constantIn: order }",
  ),
  storeWord(
    "storeEntries",
    "Entries that the store holds.",
    "{ id: the logs stay small, storeEntries: { per: peak }, atMost: 200 }",
  ),
  storeWord(
    "storeBytes",
    "Bytes that the store holds, by the cost model.",
    "{ id: bytes too, storeBytes: { per: peak }, atMost: 100000 }",
  ),
  word({
    name: "storeCommands",
    under: record("a choice of commands", {
      ...FILTER_FIELDS,
      before: optional(
        oneOf(["answer", "all"]),
        "all",
        "`answer`: commands until the response is known; `all`: background writes too.",
      ),
    }),
    companions: quantityFields,
    doc: "Store commands for each request; commands inside a script are included.",
    example: "{ id: few commands, storeCommands: { before: answer, as: alice }, atMost: 7 }",
    build: ({ before, ...read }, companions, at, problems) =>
      quantityMeasure(
        { of: "storeCommands", before, per: "request" },
        filterOf(read),
        companions,
        at,
        problems,
      ),
  }),
  word({
    name: "configuration",
    under: record("a level", {
      level: mandatory(
        oneOf(["errors", "warnings"]),
        "A world that is expected to have errors is read and never run.",
      ),
    }),
    companions: {
      equals: optional(
        listOf(problem),
        null,
        "Exactly these, in any order; with `warnings`, `[]` means none.",
      ),
      contains: optional(listOf(problem, 1), null, "These, and perhaps others."),
    },
    doc: "The problems that the configuration check finds in the world.",
    example:
      "{ id: the check warns, configuration: { level: warnings }, contains: [{ code: CFG-ALLOWANCE-DIFFERS }] }",
    build: ({ level }, { equals, contains }, at, problems) => {
      const list = equals ?? contains;
      if (list === null || (equals !== null && contains !== null))
        return scn(
          problems,
          "SCN-ONE-OF",
          at,
          '"configuration" needs "equals" or "contains", one of the two',
        );
      // A world with an unexpected error is rejected anyway, so this expectation could never fail.
      if (level === "errors" && list.length === 0)
        return scn(
          problems,
          "SCN-VACUOUS",
          [...at, "equals"],
          "a world with unexpected errors is rejected anyway",
          "leave this expectation out, or write level: warnings",
        );
      return {
        kind: "configuration",
        level,
        op: equals === null ? "contains" : "equals",
        problems: list,
      };
    },
  }),
];
