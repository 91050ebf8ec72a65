import { expect, test } from "vitest";
import { isFailure } from "#src/kit/reading/failure.ts";
import {
  prefixProblem,
  parseRedisAddress,
  withoutSecret,
} from "#src/limiter/store/redis-address.ts";

const PLAIN = { kind: "single", group: "", db: 0, username: null, password: null, tls: false };
const at = (host: string, port: number) => ({ host, port });

test.each([
  ["redis://localhost", { ...PLAIN, servers: [at("localhost", 6379)] }],
  ["redis://10.0.0.1:7000/3", { ...PLAIN, servers: [at("10.0.0.1", 7000)], db: 3 }],
  ["redis://[::1]:7000", { ...PLAIN, servers: [at("::1", 7000)] }],
  ["rediss://h:1", { ...PLAIN, servers: [at("h", 1)], tls: true }],
  ["redis://:secret@h", { ...PLAIN, servers: [at("h", 6379)], password: "secret" }],
  ["redis://me:a%40b@h", { ...PLAIN, servers: [at("h", 6379)], username: "me", password: "a@b" }],
  ["redis://:50%@h", { ...PLAIN, servers: [at("h", 6379)], password: "50%" }],
  ["redis://:%ff@h", { ...PLAIN, servers: [at("h", 6379)], password: "%ff" }],
  ["redis://:a/b@c:d@h", { ...PLAIN, servers: [at("h", 6379)], password: "a/b@c:d" }],
  [
    "redis+sentinel://a:1,b/main",
    { ...PLAIN, kind: "sentinel", servers: [at("a", 1), at("b", 26379)], group: "main" },
  ],
  [
    "rediss+sentinel://a:1/main/2",
    { ...PLAIN, kind: "sentinel", servers: [at("a", 1)], group: "main", db: 2, tls: true },
  ],
  ["redis+cluster://a:1,b:2", { ...PLAIN, kind: "cluster", servers: [at("a", 1), at("b", 2)] }],
])("%s is read", (text, address) => {
  expect(parseRedisAddress(text)).toEqual(address);
});

test.each([
  ["localhost:6379", /is not the address of a store; write redis:\/\/HOST:PORT,/],
  ["http://localhost", /is not the address/],
  ["redis://", /is not the address/],
  ["redis://h:99999", /has "h:99999" instead of HOST:PORT, with a port from 1 to 65535/],
  ["redis://h:0", /has "h:0"/],
  ["redis://h:one", /has "h:one"/],
  ["redis://a,b", /names several servers; begin with redis\+sentinel:\/\//],
  ["redis+sentinel://a,b", /does not name the primary; add \/NAME/],
  ["redis://h/one", /ends in "\/one", which is not the number of a database/],
  ["redis://h/1/2", /ends in "\/1\/2"/],
  ["redis+cluster://h/1", /ends in "\/1"/],
])("%s is rejected in one sentence", (text, sentence) => {
  const read = parseRedisAddress(text);
  expect(isFailure(read) && read.message).toMatch(sentence);
});

test("a prefix has no brace", () => {
  expect(prefixProblem("weir{1}:")).toMatch(/contains "\{"/);
  expect(prefixProblem("weir:")).toBe(null);
});

test("a password is never printed", () => {
  const addresses = [
    "redis://me:secret@h:none",
    "REDIS://:secret@h",
    ":secret@h",
    "redis://:a/secret@b@",
  ];
  for (const text of addresses)
    expect(parseRedisAddress(text)).toMatchObject({
      problems: [expect.not.stringContaining("secret") as string],
    });
  expect(withoutSecret("redis+cluster://me:secret@h:1,i:2")).toBe("redis+cluster://***@h:1,i:2");
});
