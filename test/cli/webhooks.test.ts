import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { event, round, setting, type Setting } from "../gateway/management/events/couriers.ts";
import { folderWith, weir } from "./weir.ts";

/** A folder with records, and the gateway that has them open. */
async function createRecords(): Promise<Setting & { readonly folder: string }> {
  const folder = folderWith({});
  mkdirSync(join(folder, ".weir"), { mode: 0o700 });
  const records = requireValue(await recordsInFile(join(folder, ".weir/weir.db")));
  onTestFinished(() => records.close());
  const on = await setting({ records, mostWaiting: 2 });
  await on.keep("good", { Events: ["StoreRecovered"] });
  await on.keep("gone", { Events: ["RatelimitExceeded"] });
  on.courier.accept(event("StoreRecovered", { key: null, api: null, budget: null, path: null }));
  for (const atS of [-120, -110]) on.courier.accept(event("RatelimitExceeded", { atS }));
  await on.courier.write();
  await on.remove("gone");
  await round(on.courier, 200);
  return { ...on, folder };
}

const SQLITE = ["--records", "sqlite"];

test("deliveries, done and given up, are listed while the gateway runs", async () => {
  const { folder, list } = await createRecords();
  const [good, gone] = (await list()).toSorted((one) => (one.webhook === "good" ? -1 : 1));
  const { code, out, err } = await weir(folder, ["webhooks", ...SQLITE]);
  expect([code, err]).toEqual([0, ""]);
  const lines = out.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^delivery +webhook +event +times +state +attempts +when$/);
  const row = (id: string | undefined): string =>
    lines.find((line) => line.startsWith(`${id} `))!.replaceAll(/ +/g, " ");
  expect(row(good?.id)).toBe(
    `${good?.id} good StoreRecovered 1 delivered 1 at 2023-11-14T22:13:20.000Z`,
  );
  expect(row(gone?.id)).toBe(
    `${gone?.id} gone RatelimitExceeded 2 dead 1 since 2023-11-14T22:13:20.000Z: the webhook is gone`,
  );
  expect(lines.at(-1)).toBe("2 deliveries");
  const dead = await weir(folder, ["webhooks", "--dead", "--json", ...SQLITE]);
  expect(JSON.parse(dead.out)).toMatchObject({
    format: "weir-webhooks/1",
    deliveries: [
      {
        id: gone?.id,
        webhook: "gone",
        event: "RatelimitExceeded",
        state: "dead",
        first: "2023-11-14T22:11:20.000Z",
        last: "2023-11-14T22:11:30.000Z",
        count: 2,
        key: "alice",
        attempts: 1,
        due: null,
        error: "the webhook is gone",
      },
    ],
    lost: [],
  });
});

test("a delivery that was given up is sent again by the running gateway", async () => {
  const { folder, list } = await createRecords();
  const gone = (await list()).find(({ webhook }) => webhook === "gone")!;
  expect(await weir(folder, ["webhooks", "resend", gone.id, ...SQLITE])).toEqual({
    code: 0,
    out: "1 delivery to be sent again\n",
    err: "",
  });
  expect(await list()).toContainEqual(
    expect.objectContaining({ id: gone.id, state: "waiting", attempts: 0 }),
  );
  expect(await weir(folder, ["webhooks", "resend", gone.id, ...SQLITE])).toMatchObject({
    code: 2,
    err: `weir webhooks: there is no delivery ${gone.id}, or it is already pending\n`,
  });
  expect((await weir(folder, ["webhooks", "resend", "all", ...SQLITE])).out).toBe(
    "0 deliveries to be sent again\n",
  );
});

test.each([
  [
    [],
    "weir: without a world, weir serve is a demo with records in memory, out of reach of commands; name a world with --world, or set records\n",
  ],
  [
    ["--records", "off"],
    "weir: records: off stores nothing; set records to sqlite or postgres://USER@HOST/NAME\n",
  ],
  [
    ["--records", "memory"],
    "weir: records: memory stores records inside the gateway, out of reach of commands; set records to sqlite or postgres://USER@HOST/NAME\n",
  ],
  [SQLITE, "weir: .weir/weir.db does not exist yet; weir serve creates it\n"],
])("%j has no deliveries", async (flags, err) => {
  expect(await weir(folderWith({}), ["webhooks", ...flags])).toEqual({ code: 2, out: "", err });
});

test.each([["resend"], ["all"], ["resent", "all"]])(
  "weir webhooks %s %s is rejected",
  async (...operands) => {
    const { code, err } = await weir(folderWith({}), ["webhooks", ...operands]);
    expect([code, err]).toEqual([2, expect.stringContaining("use resend ID or resend all")]);
  },
);
