// One value, a list that is used in turn, or a map to weights that are drawn: what a flow may vary from request to
// request.
import {
  addressAt,
  formatAddress,
  networkOf,
  parseAddress,
} from "../../core/address.ts";
import { isMembers, numberFrom, orNull, scn, shown, text, type Shape } from "./shape.ts";
import { send, type Send } from "./values.ts";
import type { Network } from "../types.ts";

export interface Mixed<T> {
  readonly items: readonly T[];
  readonly weights: readonly number[] | null; // null: in turn
}

const weight = numberFrom(0, 1_000_000);

const mixed = <T>(of: Shape<T>): Shape<Mixed<T>> => ({
  called: `${of.called}, a list of them, or a map to weights`,
  schema: {
    anyOf: [
      of.schema,
      { type: "array", items: of.schema, minItems: 1 },
      { type: "object", additionalProperties: weight.schema, minProperties: 1 },
    ],
  },
  read: (value, at, problems) => {
    if (!Array.isArray(value) && !isMembers(value)) {
      const one = of.read(value, at, problems);
      return one === undefined ? undefined : { items: [one], weights: null };
    }
    const written = Array.isArray(value) ? value : Object.keys(value);
    if (written.length === 0) return scn(problems, "SCN-VALUE", at, `${shown(value)} is empty`);
    const items = written.map((item, i) =>
      of.read(item, [...at, Array.isArray(value) ? i : String(item)], problems),
    );
    const weights = Array.isArray(value)
      ? null
      : Object.entries(value).map(([name, each]) => weight.read(each, [...at, name], problems));
    if (!items.every((item) => item !== undefined)) return undefined;
    if (weights === null) return { items, weights };
    if (!weights.every((each) => each !== undefined)) return undefined;
    return weights.some((each) => each > 0)
      ? { items, weights }
      : scn(problems, "SCN-VALUE", at, "all weights are 0, so that nothing can be drawn");
  },
});

const HOW_TO_WRITE = 'write an address or a network, such as "10.0.0.7", "10.0.0.0/24" or "2001:db8::/64"';

/** An address is a network of one. */
const network: Shape<Network> = {
  called: "an address or a network",
  schema: { type: "string", pattern: String.raw`^[0-9A-Fa-f.:]+(?:/\d{1,3})?$` },
  read: (value, at, problems) => {
    const [written = "", prefix, ...rest] = typeof value === "string" ? value.split("/") : [];
    const bytes = parseAddress(written);
    const most = (bytes?.length ?? 0) * 8;
    const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
    if (bytes === null || rest.length > 0 || bits > most)
      return scn(problems, "SCN-VALUE", at, `${shown(value)} is no address and no network`, HOW_TO_WRITE);
    const first = formatAddress(networkOf(bytes, bits));
    return { first, size: Math.min(2 ** (most - bits), Number.MAX_SAFE_INTEGER) };
  },
};

export const clientAddress = ({ first, size }: Network, place: number): string =>
  size === 1 ? first : formatAddress(addressAt(parseAddress(first)!, place % size));

export const mixedKeys: Shape<Mixed<string | null>> = mixed(orNull(text));
export const mixedSends: Shape<Mixed<Send>> = mixed(send);
export const mixedNetworks: Shape<Mixed<Network>> = mixed(network);
