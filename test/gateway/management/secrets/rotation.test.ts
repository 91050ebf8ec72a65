// The key of the records is changed while gateways serve, and while the process that changes it is killed.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Records } from "#src/gateway/management/records/records.ts";
import { INSTALLATION, buildInstallation } from "#src/gateway/management/secrets/installation.ts";
import {
  keyring,
  PEPPER,
  pepperIn,
  type Keyring,
} from "#src/gateway/management/secrets/keyring.node.ts";
import { beginRotation, endRotation, resealAll } from "#src/gateway/management/secrets/rotation.ts";
import { installationKey } from "#src/gateway/management/secrets/secrets.node.ts";
import { secretsWith } from "./secrets-with.ts";
import { caller } from "../app.ts";
import { createFolder, inFile, kindsOf, opener } from "../records/every-database.ts";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";

const OLD = "the old key of thirty-two letters";
const NEXT = "the next key of thirty-two letters";
const FILE = "key.next";
const opening = opener();

const holding = (...keys: readonly string[]): Keyring => keyring({ read: () => keys, next: FILE });

const installationIn = async (records: Records) =>
  (await records.read(INSTALLATION.family, INSTALLATION.id))!.document;

async function install(records: Records): Promise<void> {
  await records.write({ actor: "test", operation: "install", atUs: 0 }, (writing) =>
    writing.insert(
      INSTALLATION.family,
      INSTALLATION.id,
      buildInstallation(secretsWith(OLD), null),
      {
        unique: null,
        text: null,
      },
    ),
  );
}

type Api = Awaited<ReturnType<typeof caller>>;

const makeKey = (api: Api, id: string) =>
  api.admin("POST /admin/org/keys", { key_id: id, hmac_string: `hmac of ${id}` });
const makeUser = (api: Api, id: string) =>
  api.dashboard("POST /api/users", {
    id,
    email_address: `${id}@x.y`,
    access_key: `access of ${id}`,
  });

async function fill(api: Api, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    expect((await makeKey(api, `k${i}`)).status).toBe(200);
    expect((await makeUser(api, `u${i}`)).status).toBe(200);
  }
}

async function allReadable(api: Api, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    expect((await api.admin(`GET /admin/org/keys/k${i}`)).body).toMatchObject({
      hmac_string: `hmac of k${i}`,
    });
    expect((await api.dashboard(`GET /api/users/u${i}`)).body).toMatchObject({
      access_key: `access of u${i}`,
    });
  }
  expect(api.reports).toEqual([]);
}

const over = (records: Records, keys: Keyring): Promise<Api> =>
  caller({}, undefined, records, keys);

describe.each(kindsOf(inFile))("in $name", (kind) => {
  test("a gateway that has the next key follows, and one without it rejects changes until it has it", async () => {
    const place = await kind.place();
    const records = await opening(place.open());
    await install(records);
    const files = { one: [OLD, NEXT], other: [OLD] };
    const reading = (gateway: keyof typeof files): Keyring =>
      keyring({ read: () => files[gateway], next: FILE });
    const [one, other] = [reading("one"), reading("other")];
    const [first, second] = [await over(records, one), await over(records, other)];
    await fill(first, 3);
    const hash = one.hashOf("a credential");

    const next = installationKey(NEXT);
    const pepper = next.seal(pepperIn(await installationIn(records), installationKey(OLD)), PEPPER);
    await beginRotation(records, { seal: next.seal, pepper }, 1);
    const installation = await installationIn(records);
    expect([OLD, NEXT].map((key) => holding(key).findMissingKey(installation))).toEqual([
      "next",
      "old",
    ]);
    const rotating = holding(OLD, NEXT);
    rotating.useKeyOf(await installationIn(records));
    expect((await makeKey(first, "during")).status).toBe(200);
    expect(await makeKey(second, "refused")).toMatchObject({
      status: 503,
      body: {
        Message: `The key of the records is being changed, and the new one is missing: put it into ${FILE}`,
      },
    });
    await allReadable(second, 3); // nothing is sealed again yet
    const reseal = () =>
      resealAll({ records, secrets: rotating, onUnopened: () => {}, progress: () => {} });
    expect(await reseal()).toBe(6); // records created meanwhile are sealed with the next key already
    expect(await reseal()).toBe(0);
    await endRotation(records, 2);
    await allReadable(first, 3);
    expect(await makeKey(first, "after")).toMatchObject({ status: 200 });
    expect((await first.admin("PUT /admin/org/keys/k0", { alias: "x" })).status).toBe(200);

    files.other = [OLD, NEXT];
    await expect.poll(async () => (await makeKey(second, "late")).status).toBe(200);
    await allReadable(second, 3);

    const alone = holding(NEXT);
    alone.useKeyOf(await installationIn(records));
    await allReadable(await over(records, alone), 3);
    expect(alone.hashOf("a credential")).toBe(hash); // credentials open what they opened
    expect(holding(OLD).findMissingKey(await installationIn(records))).toBe("key");
    const { document } = (await records.read("keys", "k1"))!;
    const at = { family: "keys", id: "k1", field: "hmac_string" } as const;
    expect(() => installationKey(OLD).unseal(document["hmac_string"] as string, at)).toThrow(
      /authenticate/,
    );
  });
});

test("a kill -9 at any step leaves everything readable with both keys, and the next run ends it", async () => {
  const program = join(import.meta.dirname, "rotating.node.ts");
  const run = (file: string, last: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, file, OLD, NEXT, String(last)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes("stopped")) child.kill("SIGKILL");
      });
      child.on("error", reject).on("close", () => resolve(output));
    });
  const file = join(await createFolder(), "weir.db");
  const records = await opening(recordsInFile(file));
  await install(records);
  const keys = holding(OLD, NEXT);
  const api = await over(records, keys);
  await fill(api, 3);
  for (let last = 1; ; last++) {
    const output = await run(file, last);
    await allReadable(api, 3);
    expect((await api.admin("PUT /admin/org/keys/k1", { alias: `of step ${last}` })).status).toBe(
      200,
    );
    await allReadable(await over(records, holding(OLD, NEXT)), 3);
    if (output.startsWith("done")) break;
    expect(last).toBeLessThan(20);
  }
  const alone = holding(NEXT);
  alone.useKeyOf(await installationIn(records));
  await allReadable(await over(records, alone), 3);
  expect(await run(file, 0)).toMatch(/^done 0 /);
});
