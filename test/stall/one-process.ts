// What `weir serve` starts if `workers` is 1, in this process and on this thread: the gateway over records in a file, and
// the admin listener with the five management APIs and the admin routes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { requireValue } from "#src/kit/reading/failure.ts";
import { dryRunRoute } from "#src/gateway/serving/admin-routes.node.ts";
import { startRecordsProcess } from "#src/gateway/serving/records-process.node.ts";
import { openListeners } from "#src/gateway/serving/listeners.node.ts";
import { loadSettings } from "#src/gateway/serving/load.node.ts";
import { openServedRecords } from "#src/gateway/serving/records.node.ts";
import { micros } from "#src/kit/units.ts";
import { INTERFACES, type InterfaceName } from "#src/gateway/management/interface-name.ts";
import { attempts } from "#src/gateway/management/http/attempts.ts";

const secretOf = (name: InterfaceName): string => `of-the-interface-${name}`;
const CREDENTIALS = Object.fromEntries(
  INTERFACES.map((name) => [name, secretOf(name)]),
) as Readonly<Record<InterfaceName, string>>;

export const BASES = {
  studio: "/studio",
  dashboard: "/dashboard",
  admin: "/admin-api",
  broker: "/broker",
  portal: "/portal",
} as const satisfies Readonly<Record<InterfaceName, string>>;

export const HEADERS = {
  studio: { authorization: `Bearer ${CREDENTIALS.studio}` },
  dashboard: { authorization: `Bearer ${CREDENTIALS.dashboard}` },
  admin: { "admin-auth": CREDENTIALS.admin },
  broker: { authorization: CREDENTIALS.broker },
  portal: { authorization: CREDENTIALS.portal },
} as const satisfies Readonly<Record<InterfaceName, Readonly<Record<string, string>>>>;

export interface OneProcess {
  readonly gateway: string; // http://HOST:PORT
  readonly admin: string;
}

export async function serveInOneProcess(): Promise<OneProcess> {
  const folder = mkdtempSync(join(tmpdir(), "weir-worst-"));
  const file = join(folder, "weir.yaml");
  writeFileSync(
    file,
    `upstream: echo
data: data
timeouts: { keep_alive: 10m }
listen: { host: 127.0.0.1, port: 0 }
admin: { host: 127.0.0.1, port: 0, secret: ${CREDENTIALS.admin} }
${INTERFACES.filter((name) => name !== "admin")
  .map((name) => `${name}: { secret: ${secretOf(name)} }`)
  .join("\n")}
`,
    { mode: 0o600 },
  );
  const { sound, errors } = loadSettings(new Map([["config", file]]), file, "never");
  if (sound === null) throw new Error(errors.join("\n"));
  const settings = () => sound.settings;
  const log = (line: string): void => {
    throw new Error(line);
  };
  const served = requireValue(
    await openServedRecords({
      settings,
      world: () => null,
      report: () => {},
      findRefusal: () => null,
    }),
  );
  const payload = { ...sound, configuration: served.inForce.configuration(), hidden: [] };
  const gateway = requireValue(
    await startRecordsProcess(payload, { served, settings, log }, { noteStore: () => {} }),
  );
  const tries = attempts(() => micros(Date.now() * 1_000), log);
  const doors = { secret: () => CREDENTIALS.admin, attempts: tries, log };
  const listeners = requireValue(
    await openListeners({
      settings: sound.settings,
      certificate: null,
      pages: gateway.pages,
      hosts: () => [],
      adminRoutes: { ...doors, routes: [dryRunRoute(gateway.dryRun)] },
      interfaces: {
        management: { ...served.management, budgets: gateway.budgets },
        credentials: () => CREDENTIALS,
        attempts: tries,
        log,
      },
    }),
  );
  onTestFinished(async () => {
    await listeners.stop();
    await gateway.stop();
    await served.records.close();
    rmSync(folder, { recursive: true });
  });
  return { gateway: gateway.origin, admin: listeners.admin };
}
