// A listener of Envoy with filters and routes, for the tests of its reader.
import { ENVOY_READER } from "#src/lab/implementations/envoy/read.ts";
import type { ReadConfiguration } from "#src/lab/implementations/reading.ts";
import type { JsonMap } from "#src/kit/reading/shape.ts";
import { mustRead, play, type ReadInput, type Sent } from "../read-and-play.ts";

export const LOCAL = "envoy.filters.http.local_ratelimit";

const ALWAYS = { default_value: { numerator: 100, denominator: "HUNDRED" } };

export const bucket = (size: number, fill: number = size, interval = "60s"): JsonMap => ({
  max_tokens: size,
  tokens_per_fill: fill,
  fill_interval: interval,
});

export const limitOf = (rest: JsonMap): JsonMap => ({
  stat_prefix: "limit",
  filter_enabled: ALWAYS,
  filter_enforced: ALWAYS,
  ...rest,
});

export const filter = (config: JsonMap | null, name = LOCAL): JsonMap =>
  config === null ? { name } : { name, typed_config: config };

export const routeTo = (match: JsonMap, rest: JsonMap = {}): JsonMap => ({
  match,
  route: { cluster: "app" },
  ...rest,
});

interface ListenerParts {
  readonly filters?: readonly JsonMap[];
  readonly routes?: readonly JsonMap[];
  readonly host?: JsonMap;
  readonly hosts?: readonly JsonMap[];
  readonly manager?: JsonMap;
}

export const listener = ({
  filters = [],
  routes = [routeTo({ prefix: "/" })],
  host = {},
  manager = {},
  hosts = [{ name: "all", domains: ["*"], routes, ...host }],
}: ListenerParts): string =>
  JSON.stringify(
    {
      static_resources: {
        listeners: [
          {
            filter_chains: [
              {
                filters: [
                  {
                    name: "envoy.filters.network.http_connection_manager",
                    typed_config: {
                      stat_prefix: "in",
                      ...manager,
                      http_filters: [...filters, { name: "envoy.filters.http.router" }],
                      route_config: { virtual_hosts: hosts },
                    },
                  },
                ],
              },
            ],
          },
        ],
      },
    },
    null,
    1,
  );

export const read = (text: string, input?: ReadInput): ReadConfiguration =>
  mustRead(ENVOY_READER, text, input);

export const decisions = (text: string, requests: readonly Sent[], input?: ReadInput): string =>
  play(read(text, input), requests);
