// Prints the first lines of `weir serve`: its addresses, and what it serves.
import type { Terminal } from "./terminal.ts";
import { DEMO_NOTES, demoChange, demoLines, demoDryRun } from "../gateway/serving/demo.ts";
import { exactMatchingWarning } from "../gateway/serving/exact-matching.ts";
import type { GatewayProcess } from "../gateway/serving/gateway-process.node.ts";
import { placeOf, secretFileOf } from "../gateway/serving/installation.node.ts";
import type { Listeners } from "../gateway/serving/listeners.node.ts";
import type { Loaded, Sound } from "../gateway/serving/load.node.ts";
import type { ServedRecords } from "../gateway/serving/records.node.ts";
import { formatSizes, sizesIn, sizesOf, type Sizes } from "../gateway/serving/sizes.ts";

interface Serving {
  readonly gateway: Pick<GatewayProcess, "origin">;
  readonly listeners: Listeners;
  readonly held: ServedRecords | null; // null if the world is served directly from its file
}

export async function printAddresses(
  { gateway, listeners, held }: Serving,
  { file }: Loaded,
  sound: Sound,
  { err }: Terminal,
): Promise<void> {
  const { settings, world, isDemo } = sound;
  const { upstream } = settings;
  const where =
    upstream === "echo" ? "built-in echo server" : (upstream ?? "the target of each API");
  err(`gateway   ${gateway.origin} (upstream: ${where})`);
  for (const line of placesOf(listeners)) err(line);
  if (isDemo) {
    err("world     a built-in demo; docs/serve/serving.md shows how to serve your own");
    err("ready");
    printDemo(gateway.origin, listeners, sound, err);
    return;
  }
  const sizes: Sizes | null =
    held !== null
      ? await sizesIn(held.records)
      : world?.configuration
        ? sizesOf(world.configuration)
        : null;
  if (sizes === null) throw new Error("there is neither a world nor a record");
  const what = held === null ? `world     ${settings.world}` : `records   ${placeOf(settings)}`;
  err(`${what}: ${formatSizes(sizes)} (settings: ${file ?? "no file"})`);
  const configuration = held?.inForce.configuration() ?? world?.configuration ?? null;
  const exact = configuration === null ? null : exactMatchingWarning(configuration);
  if (exact !== null) err(exact);
  err("ready");
}

/** One line for each listener, with the paths of its interfaces. */
function placesOf({ admin, addresses }: Listeners): readonly string[] {
  const all = [...addresses].map(([name, place]) => ({ name, ...place }));
  const here = all.filter(({ origin }) => origin === admin).map(({ base }) => base);
  const apart = all.filter(({ origin }) => origin !== admin);
  return [
    `admin     ${admin}${here.length === 0 ? "" : ` (${here.join(", ")})`}`,
    ...apart.map(({ name, origin, base }) => `${name.padEnd(9)} ${origin}${base}`),
  ];
}

function printDemo(
  origin: string,
  { admin, addresses }: Listeners,
  { settings }: Sound,
  err: Terminal["err"],
): void {
  err("");
  err("Try these, in this order. The last one is refused with 429.");
  err("");
  const lines = demoLines(origin);
  const wide = Math.max(...lines.map((each) => each.length));
  for (const [index, each] of lines.entries())
    err(`  ${each.padEnd(wide)}  # ${DEMO_NOTES[index]}`);
  if (settings["admin.secret"] !== null) return;
  const file = secretFileOf(settings, "admin");
  err("");
  err("This one explains the decision and sends nothing:");
  err("");
  err(`  ${demoDryRun(admin, file)}`);
  const place = addresses.get("admin");
  if (place === undefined) return;
  err("");
  err("And this one raises the rate of the key, from the next request on:");
  err("");
  err(`  ${demoChange(place.origin + (place.base === "/" ? "" : place.base), file)}`);
}
