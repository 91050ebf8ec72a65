// Starts an installed implementation with one limit, which identification has to find.
import { createStarter } from "../../lab/drivers/started.node.ts";
import { startOwnStore } from "../../lab/drivers/own-store.node.ts";
import { createUpstream } from "../../lab/drivers/upstream.node.ts";
import type { Configuration } from "../../limiter/core/config.ts";
import type { Implementation } from "../../lab/implementations/catalogue.node.ts";
import { startLimiter } from "../../lab/implementations/start-limiter.node.ts";
import type { LineLimiter } from "../../lab/implementations/lines.node.ts";
import { readWantedWorld } from "../../lab/implementations/wanted.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { microsToSeconds, micros } from "../../kit/units.ts";
import { decode } from "../../lab/scenario/read/decode.ts";
import type { HttpProbe } from "./http-target.node.ts";
import { createLinesTarget, describeProgramError } from "./lines-target.node.ts";
import type { FailingTarget } from "./target.ts";

/** The limit that an implementation is started with. */
export interface HiddenNumbers {
  readonly rate: number;
  readonly perUs: number;
  readonly burst: number | null; // null: the implementation decides
}

/** How to reach the implementation: `probe` for a server, `createTarget` for a program that reads lines. */
export interface StartedHidden {
  readonly probe: Partial<HttpProbe>;
  readonly createTarget: ((stop: AbortSignal) => FailingTarget) | null; // null: an HTTP server
  readonly stop: () => Promise<void>;
}

function scenarioOf({ rate, perUs, burst }: HiddenNumbers, isByAddress: boolean): string {
  const limit = `apis: [orders], rate: ${rate}, per: ${microsToSeconds(micros(perUs))}`;
  const options = [
    ...(isByAddress ? ["key_by: ip"] : []),
    ...(burst === null ? [] : ["algorithm: gcra", `burst: ${burst}`]),
  ];
  return `title: a limit to identify
world:
  apis: { orders: { listen: /orders } }
  keys: { prober: { ${limit} }, other: { ${limit} } }
  gateway: { ${options.join(", ")} }
traffic:
  - { as: prober, send: GET /orders, burst: 1 }
expect:
  - { id: one, count: { status: 200 }, equals: 1 }
`;
}

/** Configures this limit; a failure names flags that would help. */
export function configureHidden(
  { manifest: { capabilities } }: Implementation,
  numbers: HiddenNumbers,
): Configuration | Failure {
  const isByAddress = !capabilities.by.includes("credential");
  const { scenario, problems } = decode("hidden.yaml", scenarioOf(numbers, isByAddress));
  return (
    scenario?.variants[0]?.world.configuration ??
    new Failure(...problems.map(({ message }) => `--rate, --per or --burst: ${message}`))
  );
}

/** Starts the implementation. The text of a failure begins with a verb. */
export async function startHidden(
  implementation: Implementation,
  configuration: Configuration,
): Promise<StartedHidden | Failure> {
  try {
    return implementation.manifest.kind === "http"
      ? await startServer(implementation, configuration)
      : await startLines(implementation, configuration);
  } catch (error) {
    return new Failure(describeProgramError(error));
  }
}

async function startServer(
  implementation: Implementation,
  configuration: Configuration,
): Promise<StartedHidden> {
  const upstream = await createUpstream([]);
  const worlds = createStarter(implementation);
  const stop = async (): Promise<void> => {
    await worlds.close();
    await upstream.close();
  };
  try {
    const wanted = readWantedWorld(configuration);
    const served = await worlds.start(wanted, upstream.url);
    const { url } = served;
    const [first = "", second = ""] = wanted.credentials;
    return {
      probe: {
        url: new URL("/orders", url),
        headers: [["Authorization", first]],
        otherHeader: ["Authorization", second],
        otherPath: "/orders/other",
        refusal: implementation.manifest.refusal,
      },
      createTarget: null,
      stop: async () => {
        await served.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startLines(
  implementation: Implementation,
  configuration: Configuration,
): Promise<StartedHidden | Failure> {
  const { capabilities } = implementation.manifest;
  const store = capabilities.store === "redis" ? await startOwnStore() : null;
  const environment = store === null ? {} : { REDIS_ADDRESS: new URL(store.url).host };
  let limiter: LineLimiter | null = null;
  const stop = async (): Promise<void> => {
    await limiter?.stop();
    await store?.stop();
  };
  try {
    limiter = await startLimiter(implementation, environment);
    return await configureLines(implementation, configuration, limiter, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function configureLines(
  implementation: Implementation,
  configuration: Configuration,
  limiter: LineLimiter,
  stop: () => Promise<void>,
): Promise<StartedHidden | Failure> {
  const { clock } = implementation.manifest;
  const isVirtual = clock !== "real";
  const { limits } = readWantedWorld(configuration);
  const [limit] = limits;
  if (limit === undefined) throw new Error("the world to identify has no limit");
  const lines = limits.map(({ rate, perUs, burst }) => ({ limit: rate, per_us: perUs, burst }));
  const { createTarget, startUs } = createLinesTarget(limiter, isVirtual);
  const configured = await limiter.configure(lines, startUs);
  if (!isFailure(configured))
    return { probe: { otherPath: null, otherAddress: null }, createTarget, stop };
  await stop();
  return new Failure(`cannot have this limit: ${configured.message}`);
}
