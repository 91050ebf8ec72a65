// The OpenAPI documents of the APIs, and their examples.
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { INTERFACES } from "#src/gateway/management/interface-name.ts";
import { appWith, BASES, caller } from "./app.ts";
import { bodyOf, counting, createRecords, operations, withIds } from "./contract-calls.ts";
import { DOCUMENTS } from "./contract.ts";

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
