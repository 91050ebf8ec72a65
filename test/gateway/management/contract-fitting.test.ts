// What the APIs respond to requests that fit their OpenAPI documents.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeJson } from "#src/gateway/management/json.ts";
import { holdsLater } from "../../runs.ts";
import { bodyOf, callerWithRecords, operations } from "./contract-calls.ts";
import { fitting } from "./from-schema.ts";
import { ANY_CHARACTER } from "../../any-character.ts";

/** For these the gateway's own reader checks more than a schema can. */
const CHECKED_FURTHER = /Key|Policy|Api$/;

describe("a request that fits is done, or rejected by the state", () => {
  const calling = callerWithRecords();

  const pathsFor = ({ path, described }: (typeof operations)[number]): fc.Arbitrary<string> => {
    const id = fc.oneof(
      fc.constant("made-1"),
      fc.string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 9 }),
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
