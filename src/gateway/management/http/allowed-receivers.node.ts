// Receivers of webhooks that are allowed although their addresses are private: `webhook_allow` (EVT-C3).
import { BlockList, isIP } from "node:net";
import { Failure } from "../../../kit/reading/failure.ts";
import type { AllowedReceivers } from "./receiver-addresses.ts";

const ENTRY = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5}|\*)$/;
const MOST_PORT = 65_535;

/** Parses the networks in a list. A failure describes the first invalid entry. */
export function parseAllowedReceivers(list: readonly string[]): AllowedReceivers | Failure {
  const anyPort = new BlockList();
  const byPort = new Map<number, BlockList>();
  for (const entry of list) {
    const [, six, four, portText = ""] = ENTRY.exec(entry) ?? [];
    const [address = "", prefix, ...rest] = (six ?? four ?? "").split("/");
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const bits = prefix === undefined ? most : Number(prefix);
    const isWhole = prefix === undefined || /^\d{1,3}$/.test(prefix);
    const port = portText === "*" ? null : Number(portText);
    const isPort = port === null || (port > 0 && port <= MOST_PORT);
    const isVersion = version === (six === undefined ? 4 : 6);
    if (!isVersion || rest.length > 0 || !isWhole || !isPort || bits > most)
      return new Failure(`"${entry}" in webhook_allow must be a network with a port`);
    const networks = port === null ? anyPort : (byPort.get(port) ?? new BlockList());
    if (port !== null) byPort.set(port, networks);
    networks.addSubnet(address, bits, version === 4 ? "ipv4" : "ipv6");
  }
  return {
    has: (address, port) => {
      const family = isIP(address) === 6 ? "ipv6" : "ipv4";
      return anyPort.check(address, family) || byPort.get(port)?.check(address, family) === true;
    },
  };
}
