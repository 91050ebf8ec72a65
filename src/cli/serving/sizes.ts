// How much there is to serve, in words.
import type { Configuration } from "../../core/config.ts";

export interface Sizes {
  readonly apis: number;
  readonly policies: number;
  readonly keys: number;
}

export const sizesOf = ({ apis, policies, keys }: Configuration): Sizes => ({
  apis: apis.size,
  policies: policies.size,
  keys: keys.size,
});

export const counted = ({ apis, policies, keys }: Sizes): string =>
  `${amount(apis, "API", "APIs")}, ${amount(policies, "policy", "policies")} and ${amount(keys, "key", "keys")}`;

export const amount = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
