// The operations of the APIs' OpenAPI documents, and what their tests send to them.
import { beforeAll, expect } from "vitest";
import type { BudgetShown } from "#src/gateway/management/budgets.ts";
import { INTERFACES, type InterfaceName } from "#src/gateway/management/interface-name.ts";
import { caller, type App, type BuildBudgets, type Call } from "./app.ts";
import { DOCUMENTS, type OperationObject } from "./contract.ts";

export type Caller = App & Readonly<Record<InterfaceName, Call>>;

export const operations = [...DOCUMENTS].flatMap(([name, { paths }]) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      name,
      path,
      method: method.toUpperCase(),
      id: described.operationId,
      described,
    })),
  ),
);

/** One budget, of whatever key. */
export const counting: BuildBudgets = () => {
  const budget: BudgetShown = {
    level: "key",
    budget: "key/60000000us|key:made-1",
    apis: ["orders"],
    algorithm: "sliding_log",
    rate: 10,
    per: 60,
    limit: 10,
    remaining: 9,
    delay: null,
    reset: 1_700_000_060,
    allowance: null,
    shadow: false,
    because: ["LIM-1"],
  };
  return Promise.resolve({
    read: () =>
      Promise.resolve({
        budgets: [budget],
        byClient: [
          { apis: ["users"], space: "key-api/users/60000000us", by: { header: "x-client" } },
        ],
      }),
    reset: (_, name) => Promise.resolve([name ?? budget.budget]),
  });
};

export const bodyOf = ({ requestBody }: OperationObject) =>
  requestBody?.content["application/json"].schema ?? null;

export const withIds = (path: string, id: string): string =>
  path.replaceAll(/\{\w+\}/g, encodeURIComponent(id));

/** The first record of every record type of an API, "made-1". */
export async function createRecords(
  calling: Readonly<Record<InterfaceName, Call>>,
  name: InterfaceName,
): Promise<void> {
  const records: Readonly<Record<InterfaceName, readonly (readonly [string, object])[]>> = {
    studio: [["/api/v1/catalogues", { data: { type: "catalogues", attributes: { name: "" } } }]],
    dashboard: [
      ["/api/users", { id: "made-1", email_address: "ann@example.com" }],
      ["/api/portal/policies", { id: "made-1" }],
      ["/api/apis", { api_id: "made-1", listen: "/made" }],
    ],
    admin: [["/admin/org/keys", { key_id: "made-1" }]],
    broker: [["/api/profiles", { ID: "made-1" }]],
    portal: [["/portal-api/webhooks", { ID: "made-1", URL: "http://example.com" }]],
  };
  for (const [path, body] of records[name])
    expect((await calling[name](`POST ${path}`, body)).status).toBeLessThan(300);
}

/** With the first record of every record type, once for the tests of a block. */
export function callerWithRecords(): () => Caller {
  let calling: Caller | null = null;
  beforeAll(async () => {
    calling = await caller({}, counting);
    for (const name of INTERFACES) await createRecords(calling, name);
  });
  return () => calling!;
}
