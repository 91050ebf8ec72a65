// What a flow may vary from request to request: one value, a list used in turn, or a map of values to weights for
// drawing.
import { formatAddress, networkOf, parseAddress } from "../../../limiter/core/address.ts";
import {
  isJsonMap,
  orNull,
  shape,
  formatValue,
  text,
  type Shape,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import { send, type Send } from "./values.ts";
import type { Network } from "../networks.ts";

export interface Mixed<T> {
  readonly items: readonly T[];
  readonly weights: readonly number[] | null; // null: used in turn
}

const MOST_WEIGHT = 1_000_000;

const weight: Shape<number> = shape(
  `a number above 0, up to ${MOST_WEIGHT}`,
  { type: "number", exclusiveMinimum: 0, maximum: MOST_WEIGHT },
  (value) => (typeof value === "number" && value > 0 && value <= MOST_WEIGHT ? value : undefined),
  "leave out what is never sent",
);

const mixtureShape = <T>(of: Shape<T>): Shape<Mixed<T>> => ({
  called: `${of.called}, a list of them, or a map from them to weights`,
  schema: {
    anyOf: [
      of.schema,
      { type: "array", items: of.schema, minItems: 1 },
      { type: "object", additionalProperties: weight.schema, minProperties: 1 },
    ],
  },
  read: (value, at, problems) => {
    const isList = Array.isArray(value);
    if (!isList && !isJsonMap(value)) {
      const item = of.read(value, at, problems);
      return item === undefined ? undefined : { items: [item], weights: null };
    }
    const written = isList ? value : Object.keys(value);
    if (written.length === 0)
      return scn(
        problems,
        "SCN-VALUE",
        at,
        `${formatValue(at.at(-1) ?? null)} is an empty ${isList ? "list" : "map"}`,
        "name at least one, or leave it out",
      );
    const items = written.map((item, i) => of.read(item, [...at, isList ? i : item], problems));
    const weights = isList
      ? null
      : Object.entries(value).map(([name, each]) => weight.read(each, [...at, name], problems));
    const isWhole = [...items, ...(weights ?? [])].every((each) => each !== undefined);
    return isWhole ? { items: items as T[], weights: weights as number[] | null } : undefined;
  },
});

const HOW_TO_WRITE =
  'write an address or a network, such as "10.0.0.7", "10.0.0.0/24" or "2001:db8::/64"';

/** Reads a network. A single address is a network of one address. */
export const network: Shape<Network> = {
  called: "an address or a network",
  schema: { type: "string", pattern: String.raw`^[0-9A-Fa-f.:]+(?:/\d{1,3})?$` },
  read: (value, at, problems) => {
    const [written = "", prefix, ...rest] = typeof value === "string" ? value.split("/") : [];
    const bytes = parseAddress(written);
    const most = (bytes?.length ?? 0) * 8;
    const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
    if (bytes === null || rest.length > 0 || bits > most || written.includes("%"))
      return scn(
        problems,
        "SCN-VALUE",
        at,
        `${formatValue(value)} is no address and no network`,
        HOW_TO_WRITE,
      );
    const first = formatAddress(networkOf(bytes, bits));
    const address = formatAddress(bytes);
    return first === address
      ? { first, bits }
      : scn(
          problems,
          "SCN-VALUE",
          at,
          `${formatValue(value)} is an address of the network ${first}/${bits}`,
          `write "${address}" or "${first}/${bits}"`,
        );
  },
};

export const mixedKeys: Shape<Mixed<string | null>> = mixtureShape(orNull(text));
export const mixedSends: Shape<Mixed<Send>> = mixtureShape(send);
export const mixedNetworks: Shape<Mixed<Network>> = mixtureShape(network);
