import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildInstallation, isCheckOf } from "#src/gateway/management/secrets/installation.ts";
import { secretsWith } from "./secrets-with.ts";
import { holds } from "../../../runs.ts";

const KEY = "a key of thirty-two letters or so";
const AT = { family: "users", id: "u1", field: "access_key" } as const;
const secrets = secretsWith(KEY);

test("a sealed value can be unsealed at its own field only, and is different each time", () => {
  holds(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const [one, other] = [secrets.seal(text, AT), secrets.seal(text, AT)];
      expect(one).not.toBe(other);
      expect([secrets.unseal(one, AT), secretsWith(KEY).unseal(other, AT)]).toEqual([text, text]);
    }),
    100,
  );
});

test.each([
  ["another record", { ...AT, id: "u2" }, KEY],
  ["another field", { ...AT, field: "password" }, KEY],
  ["another family", { ...AT, family: "profiles" } as const, KEY],
  ["another installation", AT, `${KEY}!`],
])("a sealed value does not open in %s", (_, at, key) => {
  const sealed = secrets.seal("the secret itself", AT);
  expect(sealed).not.toContain(Buffer.from("the secret").toString("base64url"));
  expect(() => secretsWith(key).unseal(sealed, at)).toThrow(/authenticate/);
});

test("no letter of a sealed value can be changed", () => {
  const sealed = secrets.seal("the secret itself", AT);
  for (let place = 0; place < sealed.length; place++) {
    const changed =
      sealed.slice(0, place) + (sealed[place] === "A" ? "B" : "A") + sealed.slice(place + 1);
    expect(() => secrets.unseal(changed, AT)).toThrow(/authenticate|sealed/);
  }
  for (const broken of ["", "sealed-1:", "plain", sealed.slice(0, 30)])
    expect(() => secrets.unseal(broken, AT)).toThrow("users u1 holds no sealed access_key");
});

test("a secret has one hash in an installation, and another one in the next", () => {
  const hash = secrets.hashOf("alice's own");
  expect(secretsWith(KEY).hashOf("alice's own")).toBe(hash);
  expect(hash).toMatch(/^[\w-]{43}$/);
  expect(secrets.hashOf("alice's own ")).not.toBe(hash);
  expect(secretsWith(`${KEY}!`).hashOf("alice's own")).not.toBe(hash);
});

test("made secrets hold 128 bits and more, in letters that a header carries (MGT-C10)", () => {
  const made = Array.from({ length: 100 }, secrets.generate);
  expect(new Set(made).size).toBe(100);
  for (const each of made) expect(each).toMatch(/^[\w-]{32}$/);
});

test("records show whether they were sealed with this key", () => {
  const document = buildInstallation(secrets, "world.yaml");
  expect(isCheckOf(document["check"], secretsWith(KEY))).toBe(true);
  expect(isCheckOf(document["check"], secretsWith(`${KEY}!`))).toBe(false);
  expect(isCheckOf(undefined, secrets)).toBe(false);
});
