// An installed implementation with one limit, for identification to find.
import { createStarter } from "../drivers/started.node.ts";
import { createUpstream } from "../drivers/upstream.node.ts";
import { findImplementation } from "../implementations/catalogue.node.ts";
import { whyNotRunnable } from "../implementations/home.node.ts";
import { readWantedWorld } from "../implementations/wanted.ts";
import { Failure, isFailure } from "../reading/failure.ts";
import { microsToSeconds, micros } from "../core/units.ts";
import { decode } from "../scenario/read/decode.ts";
import type { HttpProbe } from "./http-target.node.ts";

/** The limit that an implementation is started with. */
export interface HiddenNumbers {
  readonly rate: number;
  readonly perUs: number;
  readonly burst: number | null; // null: as the implementation does it
}

interface StartedHidden {
  readonly probe: Partial<HttpProbe>;
  readonly stop: () => Promise<void>;
}

const scenarioOf = ({ rate, perUs, burst }: HiddenNumbers): string => `title: a limit to identify
world:
  apis: { orders: { listen: /orders } }
  keys:
    prober: { apis: [orders], rate: ${rate}, per: ${microsToSeconds(micros(perUs))} }
    other: { apis: [orders], rate: ${rate}, per: ${microsToSeconds(micros(perUs))} }
${burst === null ? "" : `  gateway: { algorithm: gcra, burst: ${burst} }\n`}traffic:
  - { as: prober, send: GET /orders, burst: 1 }
expect:
  - { id: one, count: { status: 200 }, equals: 1 }
`;

export async function startHidden(
  name: string,
  numbers: HiddenNumbers,
): Promise<StartedHidden | Failure> {
  const implementation = await findImplementation(name);
  if (isFailure(implementation)) return implementation;
  const missing = whyNotRunnable(implementation);
  if (missing !== null) return new Failure(missing);
  const { kind, refusal } = implementation.manifest;
  if (kind !== "http")
    return new Failure(`${name} decides by lines; identify takes a server (kind: http)`);
  const { scenario, problems } = decode("hidden.yaml", scenarioOf(numbers));
  const configuration = scenario?.variants[0]?.world.configuration ?? null;
  if (configuration === null)
    return new Failure(...problems.map(({ message }) => `--rate, --per or --burst: ${message}`));
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
        refusal,
      },
      stop: async () => {
        await served.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    return new Failure(error instanceof Error ? error.message : String(error));
  }
}
