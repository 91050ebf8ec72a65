// The pages that show an API's document load nothing from other servers.
import { expect, test } from "vitest";
import { INTERFACES } from "#src/gateway/management/interface-name.ts";
import { appWith, BASES } from "./app.ts";

/** Addresses that a browser loads by itself, and those that the pages' program loads. */
const LOADED = [
  /<(?:script|img|iframe)[^>]*\ssrc="([^"]+)"/g,
  /<link[^>]*\shref="([^"]+)"/g,
  /@import[^"']*["']([^"']+)["']/g,
  /url\(["']?([^)"']+)["']?\)/g,
  /\b(?:\w*[uU]rl)"?: *"([^"]*)"/g,
];

const addressesIn = (text: string): readonly string[] =>
  LOADED.flatMap((each) => [...text.matchAll(each)].map(([, address]) => address!));

test.each(INTERFACES)("%s", async (name) => {
  const { app } = await appWith();
  const get = (url: string) => app.inject({ method: "GET", url });
  const page = await get(`${BASES[name]}/docs`);
  expect([page.statusCode, page.headers["content-type"]]).toEqual([
    200,
    "text/html; charset=utf-8",
  ]);
  const policy = String(page.headers["content-security-policy"]);
  expect(policy).toMatch(/^default-src 'self';/);
  expect(policy).not.toMatch(/https?:|\*|upgrade-insecure-requests/);

  const parts = addressesIn(page.body);
  expect(parts.length).toBeGreaterThan(3);
  for (const part of parts) {
    const { href, origin, protocol } = new URL(part, `http://weir${BASES[name]}/docs`);
    expect([part, protocol === "data:" || origin === "http://weir"]).toEqual([part, true]);
    if (protocol === "data:") continue;
    const loaded = await get(href.slice(origin.length));
    expect([part, loaded.statusCode]).toEqual([part, 200]);
    if (!part.endsWith(".css") && !part.endsWith("initializer.js")) continue;
    for (const inner of addressesIn(loaded.body))
      expect([part, inner, /^(?:https?:)?\/\//.test(inner)]).toEqual([part, inner, false]);
  }
  const initializer = parts.find((part) => part.endsWith("initializer.js"))!;
  const { href, origin } = new URL(initializer, `http://weir${BASES[name]}/docs`);
  const program = (await get(href.slice(origin.length))).body;
  expect(program).toMatch(/validatorUrl: *null/);
  const shown = await get(`${BASES[name]}/docs/json`);
  expect(shown.json()).toEqual((await get(`${BASES[name]}/openapi.json`)).json());
});
