import { describe, test } from "vitest";
import { holds } from "../runs.ts";
import { agreesInWorldsOf, FIRST_KINDS, RUNS } from "./oracle-worlds.ts";

describe("on random worlds the oracle allows what is decided, and no invariant breaks", () => {
  test.each(FIRST_KINDS)("$name", (kind) => {
    holds(agreesInWorldsOf(kind), RUNS);
  });
});
