// Changes the key of the records in a file, stops at a step and waits to be killed: FILE OLD NEXT STEP.
import { setTimeout as sleep } from "node:timers/promises";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import type { JsonObject } from "#src/gateway/management/json.ts";
import { INSTALLATION, isCheckOf } from "#src/gateway/management/secrets/installation.ts";
import { keyring, PEPPER, pepperIn } from "#src/gateway/management/secrets/keyring.node.ts";
import { beginRotation, endRotation, resealAll } from "#src/gateway/management/secrets/rotation.ts";
import { installationKey } from "#src/gateway/management/secrets/secrets.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";

const holdsKey = ({ check }: JsonObject, key: string): boolean =>
  isCheckOf(check, installationKey(key));

const [file, old, next, last] = process.argv.slice(2) as [string, string, string, string];
const records = requireValue(await recordsInFile(file, { isSecondary: true }));
let steps = 0;
const step = async (): Promise<void> => {
  steps++;
  if (steps !== Number(last)) return;
  process.stdout.write("stopped\n");
  await sleep(600_000);
};
const installation = async () =>
  (await records.read(INSTALLATION.family, INSTALLATION.id))!.document;

if (holdsKey(await installation(), next)) {
  process.stdout.write("done 0 0\n");
  process.exit(0);
}
const keys = keyring({ read: () => [old, next], next: "next" });
const coming = installationKey(next);
const pepper = coming.seal(pepperIn(await installation(), installationKey(old)), PEPPER);
await step();
await beginRotation(records, { seal: coming.seal, pepper }, 1);
keys.useKeyOf(await installation());
await step();
const count = await resealAll({
  records,
  secrets: keys,
  onUnopened: () => {},
  progress: step,
  atOnce: 2,
});
await step();
await endRotation(records, 2);
await step();
process.stdout.write(`done ${count} ${steps}\n`);
await records.close();
