import { expect, test } from "vitest";
import { SETTING_NAMES } from "#src/gateway/settings/table.ts";
import { AS_IT_IS, CONFIG, FILES, SETTINGS } from "./serving.ts";
import { folderWith, weir } from "./weir.ts";

const config = (
  args: readonly string[] = [],
  environment = {},
  files: Record<string, string> = FILES,
) => weir(folderWith(files), ["config", ...args], environment);

test("every setting has a line with its value and origin", async () => {
  const { code, out } = await config([...CONFIG, "--port", "9"], { WEIR_DRAIN: "1m" });
  expect(code).toBe(0);
  const rows = out
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));
  expect(rows.slice(0, -1).map(([name]) => name)).toEqual(SETTING_NAMES);
  expect(rows).toEqual(
    expect.arrayContaining([
      ["world", "world.yaml", "conf/weir.yaml:1"],
      ["listen.port", "9", "--port"],
      ["drain", "1m", "WEIR_DRAIN"],
      ["admin.secret", "-", "default"],
    ]),
  );
  expect(rows.at(-1)).toEqual(["conf/world.yaml: 1 API, 0 policies and 1 key"]);
});

test("no secret is shown, to people or to programs", async () => {
  const secrets = {
    WEIR_ADMIN_SECRET: "sesame-and-sesame",
    WEIR_STORE_URL: "redis://u:sesame@there",
  };
  const outputs = [await config(CONFIG, secrets), await config([...CONFIG, "--json"], secrets)];
  for (const { code, out, err } of outputs) {
    expect(code).toBe(0);
    expect(out + err).not.toContain("sesame");
    expect(out).toContain("redis://***@there");
  }
  const { settings, world } = JSON.parse(outputs[1]!.out) as {
    settings: readonly object[];
    world: object;
  };
  expect(settings).toContainEqual({
    name: "admin.secret",
    value: "(hidden)",
    from: "WEIR_ADMIN_SECRET",
    variable: "WEIR_ADMIN_SECRET",
  });
  expect(world).toEqual({ apis: 1, policies: 0, keys: 1 });
});

test("without a file there is the demo", async () => {
  const { code, out } = await config([], {}, {});
  expect(code).toBe(0);
  expect(out).toContain("the demo: 1 API, 0 policies and 1 key");
  expect(out).toMatch(/^records +memory +the demo$/m);
  expect(out).toMatch(/^upstream +echo +the demo$/m);
});

test("the file may be JSON, and be named by the environment", async () => {
  const files = {
    "a.json": '{ "world": "b.json", "upstream": "echo" }',
    "b.json": '{ "apis": { "o": { "listen": "/o" } } }',
  };
  const { code, out } = await config([], { WEIR_CONFIG: "a.json" }, files);
  expect(code).toBe(0);
  expect(out).toContain("b.json: 1 API, 0 policies and 0 keys");
});

test("what weir serve would refuse is refused", async () => {
  const { code, out, err } = await config(
    CONFIG,
    {},
    { ...FILES, "conf/weir.yaml": `${SETTINGS}drian: 1s\n` },
  );
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain('conf/weir.yaml:3:1 error SET-UNKNOWN-FIELD "drian"');
});

test("an invalid certificate is reported before any connection is opened", async () => {
  const { code, err } = await config(CONFIG, {
    WEIR_STORE_TLS_CERT: "conf/world.yaml",
    WEIR_STORE_TLS_KEY: "conf/world.yaml",
  });
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(
      /^store.tls_ca, store.tls_cert and store.tls_key cannot be used: .+$/m,
    ),
  });
});

test("a key whose credential is its id is reported", async () => {
  const { err } = await config(CONFIG, AS_IT_IS);
  expect((await config(CONFIG)).err).toBe("");
  expect(err.trimEnd()).toBe(
    "conf/world.yaml warning SET-BARE-KEY one key has no key_id, so a credential appears as an id in logs, events and the store; give each key a key_id",
  );
});
