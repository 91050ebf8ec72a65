// The budgets of a key in the admin API: how much of each is left, and their reset (MGT-C11).
import { z } from "zod";
import { errorAt } from "../../../kit/reading/problems.ts";
import { budgetShown, byClientShown } from "../budgets.ts";
import { requireRecord } from "../changes.ts";
import { table, text } from "../families/fields.ts";
import { keys } from "../families/key.ts";
import { operation } from "../operation.ts";
import { Rejection } from "../rejection.ts";
import { done, doneWith } from "../status.ts";

const OF_KEY = "/admin/org/keys/{keyId}/budgets";

const storeUnavailable = (): Rejection =>
  new Rejection(503, "The store of the counters cannot be reached; try again", [], {
    "Retry-After": "1",
  });

const readBudgets = operation({
  interface: "admin",
  method: "GET",
  needs: "read",
  path: OF_KEY,
  id: "readBudgets",
  summary: "Read every budget of a key, without spending",
  requirements: ["MGT-C11"],
  body: null,
  query: null,
  answers: {
    200: z.strictObject({
      key_id: text,
      budgets: z.array(budgetShown),
      by_client: z
        .array(byClientShown)
        .meta({ description: "limits that count by the address or a header, not by the key" }),
    }),
  },
  refuses: [503],
  respond: async (management, { params }) => {
    const { id } = await requireRecord(management, keys, params["keyId"]!);
    const read = await management.budgets.read(id);
    if (read === null) throw storeUnavailable();
    return {
      status: 200,
      body: { key_id: id, budgets: read.budgets, by_client: read.byClient },
    };
  },
});

const RESET = "Budgets reset";

const resetBudgets = operation({
  interface: "admin",
  method: "POST",
  needs: "write",
  path: `${OF_KEY}/reset`,
  id: "resetBudgets",
  summary: "Reset every budget of a key, or only the one that the body names",
  requirements: ["MGT-C11"],
  body: table("a reset", { budget: text.nullable() }).partial(),
  query: null,
  answers: {
    200: done(z.literal(RESET), z.strictObject({ budgets: z.array(text) })).extend({ ID: text }),
  },
  refuses: [503],
  example: { budget: "key/60000000us|key:ann" },
  respond: async (management, { params, body }) => {
    const { id } = await requireRecord(management, keys, params["keyId"]!);
    const name = body.budget ?? null;
    const budgets = await management.budgets.reset(id, name);
    if (budgets === null) throw storeUnavailable();
    if (name !== null && budgets.length === 0) {
      const problem = errorAt("MGT-BUDGET", ["budget"], "is not the name of a budget of this key");
      throw new Rejection(400, "The body does not fit", [problem]);
    }
    return { status: 200, body: { ID: id, ...doneWith(RESET, { budgets }) } };
  },
});

export const BUDGETS = [readBudgets, resetBudgets];
