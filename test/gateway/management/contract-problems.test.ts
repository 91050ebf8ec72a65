// What the APIs respond to requests that differ from their OpenAPI documents in one place, and to any bytes.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeJson } from "#src/gateway/management/json.ts";
import { holdsLater } from "../../runs.ts";
import { bodyOf, callerWithRecords, operations, withIds } from "./contract-calls.ts";
import { unfitting } from "./from-schema.ts";

describe("a request that does not fit is rejected with the path of its problem", () => {
  const calling = callerWithRecords();

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
          const { status, body } = await calling()[name](`${method} ${at}`, writeJson(value));
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
          const response = await calling()[name](`${method} ${withIds(path, "made-1")}`, payload);
          expect(response.status).toBe(400);
        },
      ),
      100,
    );
  });
});

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
