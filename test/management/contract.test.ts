// The OpenAPI documents of the APIs, and their responses to requests that fit them or differ in one place.
import { Validator } from "@seriousme/openapi-schema-validator";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { BudgetShown } from "../../src/management/budgets.ts";
import { INTERFACES, type InterfaceName } from "../../src/management/interface-name.ts";
import { writeJson } from "../../src/management/json.ts";
import { holdsLater, PATIENT } from "../runs.ts";
import { appWith, BASES, caller, type App, type BuildBudgets, type Call } from "./app.ts";
import { DOCUMENTS, type OperationObject } from "./contract.ts";
import { fitting, unfitting } from "./from-schema.ts";

/** One budget, of whatever key. */
const counting: BuildBudgets = () => {
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

const operations = [...DOCUMENTS].flatMap(([name, { paths }]) =>
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

test.each(INTERFACES)("%s serves a sound OpenAPI document, without a credential", async (name) => {
  const { app } = await appWith();
  const response = await app.inject({ method: "GET", url: `${BASES[name]}/openapi.json` });
  const document = JSON.parse(response.body) as Record<string, unknown>;
  expect(document["openapi"]).toBe("3.1.0");
  expect(document["servers"]).toEqual([{ url: BASES[name] }]);
  expect(await new Validator().validate(document)).toEqual({ valid: true });
});

test("the studio declares interface version 1.0 under /api/v1 (MGT-12)", () => {
  const { paths, info } = DOCUMENTS.get("studio")!;
  expect(info.version).toBe("1.0");
  for (const path of Object.keys(paths)) expect(path).toMatch(/^\/api\/v1\//);
});

test("every id of an operation is there once", () => {
  const ids = operations.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

describe("an example of the document is taken", () => {
  test.each(operations.filter(({ described }) => bodyOf(described) !== null))(
    "$id",
    async (operation) => {
      const { name, method, path, described } = operation;
      const calling = await caller({}, counting);
      const { example } = described.requestBody!.content["application/json"];
      if (path.includes("{") && operation.id !== "createProfileNamed")
        await createRecords(calling, name);
      const response = await calling[name](`${method} ${withIds(path, "made-1")}`, example);
      expect(response).toMatchObject({
        status: expect.toSatisfy((status) => status >= 200 && status < 300),
      });
    },
  );
});

const bodyOf = ({ requestBody }: OperationObject) =>
  requestBody?.content["application/json"].schema ?? null;

const withIds = (path: string, id: string): string =>
  path.replaceAll(/\{\w+\}/g, encodeURIComponent(id));

/** The first record of every record type of an API, "made-1". */
async function createRecords(
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

/** For these the gateway's own reader checks more than a schema can. */
const CHECKED_FURTHER = /Key|Policy|Api$/;

describe(
  "a request that fits is done, or rejected by the state; another one is rejected with the path of its problem",
  PATIENT,
  () => {
    let calling: App & Readonly<Record<InterfaceName, Call>>;
    beforeAll(async () => {
      calling = await caller({}, counting);
      for (const name of INTERFACES) await createRecords(calling, name);
    });

    const pathsFor = ({ path, described }: (typeof operations)[number]): fc.Arbitrary<string> => {
      const id = fc.oneof(
        fc.constant("made-1"),
        fc.string({ unit: "binary", minLength: 1, maxLength: 9 }),
      );
      const queries = (described.parameters ?? []).filter((each) => each.in === "query");
      const query = fc.record(
        Object.fromEntries(queries.map(({ name, schema }) => [name, fitting(schema).map(String)])),
        { requiredKeys: [] },
      );
      return fc.tuple(id, query).map(([pathId, values]) => {
        const at = path.replaceAll(/\{\w+\}/g, encodeURIComponent(pathId.toWellFormed()));
        const text = new URLSearchParams(values as Record<string, string>).toString();
        return text === "" ? at : `${at}?${text}`;
      });
    };

    test.each(operations)("$id: a request that fits", async (operation) => {
      const { name, method, id, described } = operation;
      const schema = bodyOf(described);
      const body =
        schema === null ? fc.constant(undefined) : fitting(schema).map((value) => writeJson(value));
      await holdsLater(
        fc.asyncProperty(pathsFor(operation), body, async (path, payload) => {
          const { status, body: response } = await calling[name](`${method} ${path}`, payload);
          if (status < 300 || status === 404 || status === 409) return;
          expect([status, response]).toEqual([400, expect.anything()]);
          const text = JSON.stringify(response);
          const isOfPath =
            / control character|is an id of at most|is not the id|per_page|is not possible for audit/.test(
              text,
            );
          expect([text, isOfPath || CHECKED_FURTHER.test(id)]).toEqual([text, true]);
        }),
        30,
      );
    });

    const withBody = operations.flatMap((operation) => {
      const schema = bodyOf(operation.described);
      const unfit = schema === null ? null : unfitting(schema);
      return unfit === null ? [] : [{ ...operation, unfit }];
    });

    test.each(withBody)(
      "$id: what does not fit in one place",
      async ({ name, method, path, unfit }) => {
        await holdsLater(
          fc.asyncProperty(unfit, async ({ path: place, value }) => {
            const at = withIds(path, "made-1");
            const { status, body } = await calling[name](`${method} ${at}`, writeJson(value));
            const start = `${place.length === 0 ? "The body" : place.join(".")}: `;
            const lines = linesIn(body);
            const isListed = lines.some((line) => line.startsWith(start));
            expect({ status, start, lines, isListed }).toMatchObject({
              status: 400,
              isListed: true,
            });
          }),
          60,
        );
      },
    );

    test("any bytes get a response, and only JSON is accepted", async () => {
      const bytes = fc.uint8Array({ maxLength: 40 }).map((values) => Buffer.from(values));
      const almost = fc.json().map((text) => Buffer.from(text.slice(0, -1)));
      await holdsLater(
        fc.asyncProperty(
          fc.constantFrom(...withBody),
          fc.oneof(bytes, almost),
          async (operation, payload) => {
            const { name, method, path } = operation;
            const response = await calling[name](`${method} ${withIds(path, "made-1")}`, payload);
            expect(response.status).toBe(400);
          },
        ),
        100,
      );
    });
  },
);

/** The problems, one a line, in any form of the error. */
function linesIn(body: unknown): readonly string[] {
  const {
    errors,
    Message,
    Error: error,
  } = body as {
    readonly errors?: readonly (string | { readonly detail: string })[];
    readonly Message?: string;
    readonly Error?: string;
  };
  if (errors !== undefined)
    return errors.map((each) => (typeof each === "string" ? each : each.detail));
  return (Message ?? error ?? "").split("\n");
}
