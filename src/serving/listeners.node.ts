// The admin listener, and the ports of the management interfaces that have one of their own (MGT-10).
import { INTERFACES, type InterfaceName } from "../management/interface-name.ts";
import { listener, type Listener, type ListenerOptions } from "../management/http/listener.node.ts";
import type { ManagementAppOptions } from "../management/http/management.node.ts";
import type { OwnPages } from "../gateway/http/own-pages.node.ts";
import type { Certificate } from "../gateway/http/tls.node.ts";
import type { Failure } from "../reading/failure.ts";
import { hostOf } from "../settings/interface-settings.ts";
import type { SettingName, Settings } from "../settings/table.ts";
import { listenFailure } from "./listen-failure.node.ts";
import { wireOf } from "./wire.ts";

export interface Listeners {
  readonly admin: string; // http://HOST:PORT
  /** The origin and base of each interface. Empty if nothing is managed. */
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
  readonly certificate: Certificate | null; // of all of them; null: plain HTTP
  readonly pages: OwnPages;
  readonly adminRoutes: NonNullable<ListenerOptions["adminRoutes"]>;
  readonly interfaces: Omit<ManagementAppOptions, "bases" | "trusted"> | null; // null: nothing is managed
  readonly hosts: () => readonly string[];
}

/** The interfaces of one listener, and the setting with its port. */
interface Port {
  readonly setting: SettingName & `${string}.port`;
  readonly names: readonly InterfaceName[];
}

/** A failure: one of them cannot be opened, and then none is. */
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
  for (const { setting, names } of portsIn(settings)) {
    const isAdmin = setting === "admin.port";
    if (!isAdmin && interfaces === null) continue;
    const bases = Object.fromEntries(names.map((name) => [name, settings[`${name}.base`]]));
    try {
      const opened = await listener({
        host: hostOf(settings, isAdmin ? "admin" : names[0]!),
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

function portsIn(settings: Settings): readonly Port[] {
  const placeOf = (name: InterfaceName, port: number): string =>
    port === 0 ? name : `${hostOf(settings, name)} ${port}`; // each 0 is a port of its own
  const ofAdmin = placeOf("admin", settings["admin.port"]);
  const apart = Map.groupBy(INTERFACES, (name) => {
    const port = settings[`${name}.port`];
    const place = port === null ? ofAdmin : placeOf(name, port);
    return place === ofAdmin ? null : place;
  });
  const here = apart.get(null)!;
  apart.delete(null);
  return [
    { setting: "admin.port", names: here },
    ...[...apart.values()].map((names): Port => ({ setting: `${names[0]!}.port`, names })),
  ];
}
