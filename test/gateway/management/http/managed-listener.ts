// A listener with everything: five management APIs over records in memory, admin routes and pages.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { onTestFinished } from "vitest";
import { micros, SECOND } from "#src/kit/units.ts";
import { INTERFACE, OPERATIONS } from "#src/gateway/management/interfaces.ts";
import type { InterfaceName } from "#src/gateway/management/interface-name.ts";
import { attempts } from "#src/gateway/management/http/attempts.ts";
import { adminJson } from "#src/gateway/management/http/admin-routes.node.ts";
import {
  listener,
  type Listener,
  type ListenerOptions,
} from "#src/gateway/management/http/listener.node.ts";
import { answerPage, readOnly } from "#src/gateway/http/own-pages.node.ts";
import { DEFAULT_WIRE } from "#src/gateway/http/wire.ts";
import { appWith, BASES, CREDENTIALS, type App } from "../app.ts";

interface Route {
  readonly method: string;
  readonly url: string;
}

export interface ManagedListener extends Listener {
  readonly routes: readonly Route[]; // all that Fastify has, from any plugin
  readonly management: App["management"];
  readonly lines: readonly string[]; // on standard error
}

export async function startManagedListener(
  wire: Partial<ListenerOptions["wire"]> = {},
  options: Partial<ListenerOptions> = {},
): Promise<ManagedListener> {
  const { management } = await appWith();
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const counted = attempts(() => micros(1_000 * SECOND), log);
  const page = readOnly((from, to) => answerPage(from, to, 200, '{"open":true}'));
  const routes: Route[] = [];
  const listen = (message: unknown): void => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ method, url }) => {
      for (const each of [method].flat()) routes.push({ method: each, url });
    });
  };
  subscribe("fastify.initialization", listen);
  onTestFinished(() => void unsubscribe("fastify.initialization", listen));
  const server = await listener({
    host: "127.0.0.1",
    port: 0,
    pages: new Map([["/page", page]]),
    adminRoutes: {
      routes: ["/admin/reload", "/admin/dry-run"].map((path) => ({
        method: "POST" as const,
        path,
        respond: () => adminJson(200, { path }),
      })),
      secret: () => CREDENTIALS.admin,
      attempts: counted,
      log,
    },
    interfaces: {
      management,
      credentials: () => CREDENTIALS,
      bases: BASES,
      attempts: counted,
      log,
    },
    wire: { ...DEFAULT_WIRE, ...wire },
    ...options,
  });
  onTestFinished(server.stop);
  unsubscribe("fastify.initialization", listen);
  return { ...server, routes, management, lines };
}

/** The header with which a client sends `secret` to an API. */
export function credentialHeader(name: InterfaceName, secret: string): Record<string, string> {
  const { header, isBearer } = INTERFACE[name].scheme;
  return { [header]: isBearer ? `Bearer ${secret}` : secret };
}

/** The path that lists the records of an API. */
export const listOf = (name: InterfaceName): string =>
  BASES[name] +
  OPERATIONS.find(
    (each) => each.interface === name && each.method === "GET" && !each.path.includes("{"),
  )!.path;
