import { expect, test } from "vitest";
import { parseAllowedReceivers } from "#src/gateway/management/http/allowed-receivers.node.ts";
import { Failure, requireValue } from "#src/kit/reading/failure.ts";

const LIST = ["10.0.0.0/8:443", "127.0.0.1:*", "[fd00::/8]:80", "[::1]:80"];

test.each([
  ["10.1.2.3", 443, true],
  ["10.1.2.3", 80, false],
  ["11.1.2.3", 443, false],
  ["127.0.0.1", 1, true],
  ["127.0.0.2", 1, false],
  ["fd12::1", 80, true],
  ["::1", 80, true],
  ["::1", 81, false],
])("%s at %d is allowed: %s", (address, port, isAllowed) => {
  expect(requireValue(parseAllowedReceivers(LIST)).has(address, port)).toBe(isAllowed);
});

test.each([
  "10.0.0.0/33:1",
  "[::1]:0",
  "1.2.3.4:65536",
  "[1.2.3.4]:1",
  "1.2.3:1",
  "[::/129]:1",
  "",
])("%j is reported", (entry) => {
  expect(parseAllowedReceivers(["127.0.0.1:80", entry])).toEqual(
    new Failure(`"${entry}" in webhook_allow must be a network with a port`),
  );
});
