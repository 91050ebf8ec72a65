// The entry that a request meets under each word of endpoint_matching, and with or without normalizing (EPT-C7).
import { expect, test } from "vitest";
import { configurationOf } from "#src/lab/oracle/reader.ts";
import { endpointFor, routePath, spellings } from "#src/lab/oracle/path.ts";
import type { Json } from "#src/kit/reading/shape.ts";

type Fields = { readonly [name: string]: Json };

/** The path of the entry, or "none". */
function met(
  entry: string,
  sent: string,
  gateway: Fields,
  sentMethod = "GET",
  method = "GET",
  listen = "/a",
): string {
  const { apis, options } = configurationOf({
    apis: { a: { listen, endpoints: [{ path: entry, method, rate: 1, per: 1 }] } },
    gateway,
  });
  const [api] = apis.values();
  const path = routePath(sent, options);
  if (path === null) return "400";
  const paths = spellings(sent, path, api!, options);
  if (paths === null) return "open";
  const found = endpointFor(api!.endpoints, sentMethod, paths, options);
  return found?.pattern.text ?? "none";
}

const matching = (...names: readonly string[]): Fields => ({
  endpoint_matching: Object.fromEntries(names.map((name) => [name, "same"])),
});

test.each([
  ["/x", "/a/X", "letter_case"],
  ["/X", "/a/x", "letter_case"],
  ["/x", "/a/x/", "trailing_slash"],
  ["/x/", "/a/x", "trailing_slash"],
  ["/x", "/a/x;v=1", "path_parameters"],
  ["/x;v=1", "/a/x;v=2", "path_parameters"],
  ["/x", "/a/y/..;z/x", "path_parameters"],
  ["/x/y", "/a/x;p=1/y;q", "path_parameters"],
])("the entry %s meets %s only with %s: same", (entry, sent, name) => {
  expect(met(entry, sent, {})).toBe("none");
  const others = ["letter_case", "trailing_slash", "path_parameters", "head"].filter(
    (other) => other !== name,
  );
  expect(met(entry, sent, matching(...others))).toBe("none");
  expect(met(entry, sent, matching(name))).toBe(entry);
});

test("HEAD is GET only with head: same, both ways", () => {
  expect(met("/x", "/a/x", {}, "HEAD", "GET")).toBe("none");
  expect(met("/x", "/a/x", matching("head"), "HEAD", "GET")).toBe("/x");
  expect(met("/x", "/a/x", matching("head"), "GET", "HEAD")).toBe("/x");
  expect(met("/x", "/a/x", matching("head"), "POST", "GET")).toBe("none");
});

test("letters beyond ASCII stay different, and only one slash is left out", () => {
  expect(met("/%C3%A9", "/a/%C3%89", matching("letter_case"))).toBe("none");
  expect(met("/x", "/a/x//", { ...matching("trailing_slash"), normalize_path: false })).toBe(
    "none",
  );
});

test.each([
  ["/x", "/a/%78"],
  ["/x", "/a//x"],
  ["/x", "/a/y/../x"],
  ["/x", "/a/%2e/x"],
  ["/caf%c3%a9", "/a/caf%C3%A9"],
  ["/caf%C3%A9", "/a/caf%c3%A9"],
])("the entry %s meets %s unless nothing is normalized", (entry, sent) => {
  expect(met(entry, sent, {})).toBe(entry);
  expect(met(entry, sent, { normalize_path: false })).toBe("none");
});

test("the query is ignored, and an encoded slash is rejected", () => {
  expect(met("/x", "/a/x?y=/z", {})).toBe("/x");
  expect(met("/x", "/a/x?y=/z", { normalize_path: false })).toBe("/x");
  expect(met("/x", "/a%2Fx", {})).toBe("400");
});

test.each([
  ["/a;v=1", "/a;v=1/x", "/x"],
  ["/a;v=1", "/a;v=1/x;w", "/x"],
  ["/a;v=1", "/a;v=1/y/..;/x", "/x"],
  ["/a;v=1", "/a;v=1/..;/a/x", "/x"], // whatever parameters it has afterwards
  ["/a;v=1", "/a;v=1", "none"],
  ["/a", "/a/..;/x", "/x"], // above a listen path of one segment there is no other reading
  ["/a", "/a/..;/..;/x", "/x"],
  ["/a", "/a/..;/a/x", "/x"],
  ["/", "/..;/x", "/x"],
  ["/a/b", "/a/b/..;/b/x", "/x"],
  ["/a/b", "/a/b/..;/x", "open"], // with the listen path it is /a/x, without it /x
  ["/a/b", "/a/b/y/../..;/x", "open"],
])("below %s and without its parameters %s meets %s", (listen, sent, entry) => {
  expect(met("/x", sent, matching("path_parameters"), "GET", "GET", listen)).toBe(entry);
});
