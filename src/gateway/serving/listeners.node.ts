// The admin listener, and the listeners of management APIs that have a port of their own (MGT-10).
import { INTERFACES, type InterfaceName } from "../management/interface-name.ts";
import { listener, type Listener, type ListenerOptions } from "../management/http/listener.node.ts";
import type { ManagementAppOptions } from "../management/http/management.node.ts";
import type { OwnPages } from "../http/own-pages.node.ts";
import { listenBriefly } from "../http/accepting.node.ts";
import type { Certificate } from "../http/tls.node.ts";
import type { Failure } from "../../kit/reading/failure.ts";
import { hostOf } from "../settings/interface-settings.ts";
import type { SettingName, Settings } from "../settings/table.ts";
import { listenFailure } from "./listen-failure.node.ts";
import { wireOf } from "./wire.ts";

export interface Listeners {
  readonly admin: string; // http://HOST:PORT
  /** Origin and base of each management API; empty if none is served. */
  readonly addresses: ReadonlyMap<InterfaceName, InterfaceAddress>;
  readonly renew: (certificate: Certificate | null) => void;
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface InterfaceAddress {
  readonly origin: string;
  readonly base: string;
}

interface ListenersOptions {
  readonly settings: Settings;
  readonly certificate: Certificate | null; // used by all listeners; null: plain HTTP
  readonly pages: OwnPages;
  readonly adminRoutes: NonNullable<ListenerOptions["adminRoutes"]>;
  readonly interfaces: Omit<ManagementAppOptions, "bases" | "trusted"> | null; // null: no management API is served
  readonly hosts: () => readonly string[];
}

/** A port: the setting with its number, its host, and the management APIs that it serves. */
interface Port {
  readonly setting: SettingName & `${string}.port`;
  readonly host: string;
  readonly names: readonly InterfaceName[];
}

/** Listens briefly on each port, before the start creates anything. Returns a failure if a port is unusable. */
export async function findPortProblem(settings: Settings): Promise<Failure | null> {
  const gateway = { setting: "listen.port", host: settings["listen.host"] } as const;
  for (const { setting, host } of [gateway, ...portsIn(settings, settings.records !== "off")]) {
    try {
      await listenBriefly(host, settings[setting]!);
    } catch (error) {
      return listenFailure(error, settings, setting);
    }
  }
  return null;
}

/** Opens all listeners. If one cannot be opened, returns a failure and opens none. */
export async function openListeners({
  settings,
  certificate,
  pages,
  adminRoutes,
  interfaces,
  hosts,
}: ListenersOptions): Promise<Listeners | Failure> {
  const open: Listener[] = [];
  const addresses = new Map<InterfaceName, InterfaceAddress>();
  const stop = async (): Promise<void> => {
    await Promise.all(open.map((one) => one.stop()));
  };
  for (const { setting, host, names } of portsIn(settings, interfaces !== null)) {
    const isAdmin = setting === "admin.port";
    const bases = Object.fromEntries(names.map((name) => [name, settings[`${name}.base`]]));
    try {
      const opened = await listener({
        host,
        port: settings[setting]!,
        certificate,
        pages: isAdmin ? pages : new Map(),
        adminRoutes: isAdmin ? adminRoutes : null,
        interfaces: interfaces === null ? null : { ...interfaces, bases },
        wire: wireOf(settings),
        hosts,
      });
      open.push(opened);
      if (interfaces === null) continue;
      for (const name of names)
        addresses.set(name, { origin: opened.url.origin, base: settings[`${name}.base`] });
    } catch (error) {
      await stop();
      return listenFailure(error, settings, setting);
    }
  }
  return {
    admin: open[0]!.url.origin,
    addresses,
    renew: (next) => {
      for (const listener of open) listener.renew(next);
    },
    drain: async () => {
      await Promise.all(open.map((one) => one.drain()));
    },
    stop,
  };
}

/** The ports to listen on. `isManaged`: management APIs are served, so their own ports are included. */
function portsIn(settings: Settings, isManaged: boolean): readonly Port[] {
  const placeOf = (name: InterfaceName, port: number): string =>
    port === 0 ? name : `${hostOf(settings, name)} ${port}`; // two ports of 0 are different ports
  const ofAdmin = placeOf("admin", settings["admin.port"]);
  const apart = Map.groupBy(INTERFACES, (name) => {
    const port = settings[`${name}.port`];
    const place = port === null ? ofAdmin : placeOf(name, port);
    return place === ofAdmin ? null : place;
  });
  const here = apart.get(null)!;
  apart.delete(null);
  const others = [...apart.values()].map((names): Port => {
    const first = names[0]!;
    return { setting: `${first}.port`, host: hostOf(settings, first), names };
  });
  const admin: Port = { setting: "admin.port", host: hostOf(settings, "admin"), names: here };
  return isManaged ? [admin, ...others] : [admin];
}
