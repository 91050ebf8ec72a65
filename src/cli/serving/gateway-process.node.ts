// One process with one gateway in it: all there is, or one worker of several.
import type { Configuration } from "../../core/config.ts";
import type { DryRun, DryRunRequest } from "../../gateway/dry-run.ts";
import { runDry } from "../../servers/dry-run.node.ts";
import { serveGateway, type GatewayServer } from "../../servers/gateway.node.ts";
import type { OwnPages } from "../../servers/own-pages.node.ts";
import type { Settings } from "../../settings/table.ts";
import { whyNotListening } from "./why-not-listening.node.ts";

/** What a process is told: it reads no file of its own, so that all of a fleet obey the same. */
export interface Payload {
  readonly settings: Settings;
  readonly configuration: Configuration;
}

export interface GatewayProcess {
  readonly origin: string; // http://HOST:PORT
  readonly pages: OwnPages;
  readonly reload: (payload: Payload) => void;
  readonly dryRun: (asked: DryRunRequest) => Promise<DryRun>;
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A text says why it does not start. */
export async function gatewayProcess({
  settings,
  configuration,
}: Payload): Promise<GatewayProcess | string> {
  const store = null;
  let server: GatewayServer;
  try {
    server = await serveGateway({
      configuration,
      upstream: upstreamOf(settings),
      host: settings["listen.host"],
      port: settings["listen.port"],
      store,
      observer: { event: () => {}, exchange: null },
      wire: { drainTimeoutUs: settings.drain },
    });
  } catch (error) {
    return whyNotListening(error, settings, "listen");
  }
  return {
    origin: server.url.origin,
    pages: server.pages,
    reload: (next) => server.reload(next.configuration),
    dryRun: (asked) => runDry(server.gateway, store, asked),
    drain: server.drain,
    stop: server.stop,
  };
}

/** Null: the gateway echoes. */
const upstreamOf = ({ upstream }: Settings): URL | null =>
  upstream === null || upstream === "echo" ? null : new URL(upstream);
