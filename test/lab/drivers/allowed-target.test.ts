import { expect, test } from "vitest";
import { readTarget } from "#src/lab/drivers/allowed-target.ts";
import { messageOf } from "../../kit/reading/message-of.ts";

const WORDS = { url: "--target", credential: "pass it as a header" };

test.each([
  ["http://127.0.0.1:8080/orders", []],
  ["http://127.1.2.3/", []],
  ["http://localhost:1/", []],
  ["http://[::1]:8080/", []],
  ["https://api.example.org/orders", ["api.example.org"]],
  ["https://API.example.org/orders", ["other.example.org", "Api.Example.org"]],
  ["http://[fd00::1]/", ["fd00::1"]],
  ["http://[fd00::1]/", ["[fd00::1]"]],
])("%s is a target if %j are allowed", (typed, allowed) => {
  expect(readTarget(typed, allowed, WORDS)).toEqual(new URL(typed));
});

test.each([
  ["http://api.example.org/", [], "add --allow-target api.example.org"],
  [
    "http://api.example.org/",
    ["example.org", "a.example.org"],
    "allows example.org and a.example.org, and the target is api.example.org",
  ],
  ["http://127.0.0.1.example.org/", [], "is not this machine"],
  ["http://localhost.example.org/", [], "is not this machine"],
  ["http://10.0.0.1/", [], "add --allow-target 10.0.0.1"],
  ["http://0.0.0.0/", [], "is not this machine"],
  ["http://[::ffff:10.0.0.1]/", [], "is not this machine"],
  [
    "http://alice:secret@127.0.0.1/",
    [],
    "--target takes no user and password: pass it as a header",
  ],
  ["ftp://127.0.0.1/", [], "--target takes the address of a gateway"],
  ["127.0.0.1:8080", [], "takes the address of a gateway"],
])("%s is no target if %j are allowed", (typed, allowed, why) => {
  expect(messageOf(readTarget(typed, allowed, WORDS))).toContain(why);
});
