// A server that answers as another limiter would with its configuration: the rules decide in real time.
import type { ApiDefinition, Configuration } from "../../limiter/core/config.ts";
import { memoryStore } from "../../limiter/store/memory.ts";
import { readConfiguration } from "../../limiter/world/read.ts";
import { serveGateway, type GatewayServer } from "../../gateway/http/gateway.node.ts";
import { wallClock } from "../../gateway/http/wall-clock.node.ts";
import type { Wire } from "../../gateway/http/wire.ts";
import { UNDECIDED, type RequestOutcome } from "../../gateway/outcome.ts";
import { REFUSALS, type RefusalResponse } from "../../gateway/refusals.ts";
import type { ReadConfiguration } from "../implementations/reading.ts";
import { startDeciding } from "../sim/rules.ts";

export interface Substitute {
  readonly configuration: ReadConfiguration;
  readonly upstream: URL | null; // null: it answers admitted requests itself, with 200
  readonly host: string;
  readonly port: number; // 0: any free port
  readonly wire?: Partial<Wire>;
}

export interface ServedSubstitute extends Pick<GatewayServer, "url" | "drain" | "stop"> {
  readonly counts: () => SubstituteCounts;
}

interface SubstituteCounts {
  readonly requests: number;
  readonly refused: ReadonlyMap<string, number>; // by the message of the refusal
}

export async function serveSubstitute({
  configuration,
  upstream,
  host,
  port,
  wire = {},
}: Substitute): Promise<ServedSubstitute> {
  const { world, api } = OPEN;
  const decide = startDeciding(configuration, memoryStore(), (_, own) => own, wallClock, true);
  let requests = 0;
  const refused = new Map<string, number>();
  const count = ({ message }: RefusalResponse): void =>
    void refused.set(message, (refused.get(message) ?? 0) + 1);
  const server = await serveGateway({
    configuration: world,
    upstream,
    host,
    port,
    store: null,
    observer: {
      onEvent: () => {},
      onDecision: (outcome) => {
        requests++;
        if (outcome.refused !== null) count(outcome.refused);
      },
      onExchange: null,
    },
    wire,
    decide: (request): RequestOutcome => {
      // Its response would contain what the client sent, such as its credential.
      if (request.method === "TRACE") return { ...UNDECIDED, refused: REFUSALS.trace };
      const outcome = decide(request);
      return outcome.refused === null ? { ...outcome, api, path: pathOf(request.target) } : outcome;
    },
  });
  return {
    url: server.url,
    drain: server.drain,
    stop: server.stop,
    counts: () => ({ requests, refused }),
  };
}

/** The path as it was sent, also of a target with scheme and host. */
const pathOf = (target: string): string =>
  target.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] || "/";

/** A world that admits every request, and sends no headers of limits. */
const OPEN = ((): { readonly world: Configuration; readonly api: ApiDefinition } => {
  const { configuration } = readConfiguration({
    apis: { all: { listen: "/", keyless: true } },
    gateway: { rate_limit_headers: "off" },
  });
  const api = [...(configuration?.apis.values() ?? [])][0];
  if (configuration === null || api === undefined) throw new Error("the open world has an error");
  return { world: configuration, api };
})();
