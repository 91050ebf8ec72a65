// A world that was imported: a gateway over its records has the limits that a gateway over the file has.
import { array, asyncProperty, boolean, constantFrom, integer, option, record } from "fast-check";
import { expect, test } from "vitest";
import { resolver, sessionOf } from "#src/limiter/core/resolve/resolver.ts";
import { importWorld } from "#src/gateway/management/import-world.ts";
import type { JsonObject } from "#src/gateway/management/json.ts";
import { liveConfiguration } from "#src/gateway/management/live-configuration.ts";
import { recordsInPlainMemory } from "#src/gateway/management/records/plain.ts";
import { readWorldFile } from "#src/gateway/settings/world.ts";
import { PLAIN } from "./app.ts";
import { holdsLater } from "../../runs.ts";

const AUDITED = { actor: "test", operation: "import", atUs: 0 };
const APIS = ["orders", "mail"];
const POLICIES = ["gold", "silver"];

/** The name of a record, or its own id in the file: both refer to it. */
const reference = (names: readonly string[], hasIds: boolean) =>
  constantFrom(...names, ...(hasIds ? names.map((name) => `id-of-${name}`) : []));

const limit = record({ rate: integer({ min: 1, max: 99 }), per: constantFrom(1, 60) });

const world = boolean().chain((hasIds) => {
  const rights = array(reference(APIS, hasIds), { minLength: 1, maxLength: 2 });
  const policy = record({ limit, apis: rights });
  const several = array(reference(POLICIES, hasIds), { maxLength: 2 });
  const key = record({
    limit: option(limit),
    apis: option(rights),
    several: option(several),
    single: option(reference(POLICIES, hasIds)),
  });
  return record({
    policies: array(policy, { minLength: 2, maxLength: 2 }),
    keys: array(key, { minLength: 1, maxLength: 3 }),
  }).map(({ policies, keys }) => ({
    apis: Object.fromEntries(
      APIS.map((name) => [
        name,
        { listen: `/${name}`, ...(hasIds && { api_id: `id-of-${name}` }) },
      ]),
    ),
    policies: Object.fromEntries(
      policies.map(({ limit, apis }, index) => [
        POLICIES[index]!,
        { ...limit, apis, ...(hasIds && { id: `id-of-${POLICIES[index]}` }) },
      ]),
    ),
    keys: Object.fromEntries(
      keys.map(({ limit, apis, several, single }, index) => [
        `key${index}`,
        {
          ...limit,
          ...(apis !== null && { apis }),
          ...(several !== null && { apply_policies: several }),
          ...(single !== null && { apply_policy_id: single }),
        },
      ]),
    ),
  }));
});

test("whatever a file calls its APIs and policies by, its import changes no limit of a key", async () => {
  await holdsLater(
    asyncProperty(world, async (raw) => {
      const file = readWorldFile({ file: "w.json", text: JSON.stringify(raw) });
      expect(file.errors).toEqual([]);
      const configuration = file.configuration!;
      const records = recordsInPlainMemory();
      const { credentials } = file;
      await importWorld(
        records,
        { raw: file.raw as JsonObject, configuration, credentials },
        PLAIN,
        AUDITED,
      );
      const live = await liveConfiguration(records, PLAIN);
      for (const credential of configuration.keys.keys()) await live.learn(credential);
      const [ofFile, ofRecords] = [configuration, live.configuration()].map((each) =>
        resolver(each),
      );
      for (const credential of configuration.keys.keys())
        expect(sessionOf(ofRecords!, credential)?.profile.merged).toEqual(
          sessionOf(ofFile!, credential)?.profile.merged,
        );
    }),
    150,
  );
});
