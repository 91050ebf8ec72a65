// What a body of a dry run may cost the thread that serves clients (MGT-C1).
import { expect, test } from "vitest";
import { dryRunRoute } from "#src/gateway/serving/admin-routes.node.ts";

const requests: unknown[] = [];
const route = dryRunRoute(async (request) => {
  requests.push(request);
  return null;
});

async function messageOf(body: string): Promise<string> {
  const { status, text } = await route.respond(body);
  expect(status).toBe(400);
  expect(requests).toEqual([]);
  return (JSON.parse(text) as { readonly Message: string }).Message;
}

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(",");

test("a body of more letters or values than a request has is refused before it is read", async () => {
  const unknown = `{${many(90_000, (index) => `"k${index}":1`)}}`;
  const parsing = cpuOf(() => JSON.parse(unknown));
  const from = process.threadCpuUsage();
  expect(await messageOf(unknown)).toBe(
    "The body has 978891 characters, and a dry run accepts at most 65536: shorten the path or the headers",
  );
  const { user, system } = process.threadCpuUsage(from);
  expect(user + system).toBeLessThan(parsing);
  expect(await messageOf(`{"headers":{${many(600, (index) => `"h${index}":"x"`)}}}`)).toBe(
    "The body: has more than 500 fields and items; leave out headers that decide nothing",
  );
});

test("depth, duplicate fields and too large numbers are problems of the body", async () => {
  const deep = "[".repeat(400) + "]".repeat(400);
  expect(await messageOf(deep)).toContain("is nested more than 32 levels deep");
  expect(await messageOf('{"path":"/a","path":"/b"}')).toBe("path: this field is given twice");
  expect(await messageOf('{"path":123456789012345678901234567890}')).toMatch(/^path: /);
});

test("twenty problems are printed", async () => {
  const lines = (await messageOf(`{${many(30, (index) => `"x${index}":1`)}}`)).split("\n");
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe("and more");
});

/** The least of a few. */
const cpuOf = (work: () => unknown): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const from = process.threadCpuUsage();
      work();
      const { user, system } = process.threadCpuUsage(from);
      return user + system;
    }),
  );
