// The OpenAPI documents of the APIs, and their responses to requests that fit them.
import { Validator } from "@seriousme/openapi-schema-validator";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INTERFACES } from "../../src/management/interface-name.ts";
import { writeJson } from "../../src/management/json.ts";
import { holdsLater } from "../runs.ts";
import { appWith, BASES, caller } from "./app.ts";
import {
  bodyOf,
  callerWithRecords,
  counting,
  createRecords,
  operations,
  withIds,
} from "./contract-calls.ts";
import { DOCUMENTS } from "./contract.ts";
import { fitting } from "./from-schema.ts";

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

/** For these the gateway's own reader checks more than a schema can. */
const CHECKED_FURTHER = /Key|Policy|Api$/;

describe("a request that fits is done, or rejected by the state", () => {
  const calling = callerWithRecords();

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
        const { status, body: response } = await calling()[name](`${method} ${path}`, payload);
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
});
