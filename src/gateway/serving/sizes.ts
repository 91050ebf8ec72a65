// Counts APIs, policies and keys, and formats the numbers.
import { many } from "../../kit/reading/legible.ts";
import type { Configuration } from "../../limiter/core/config.ts";
import type { RecordTypeName } from "../management/records/record-types.ts";
import type { Records } from "../management/records/records.ts";

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

export async function sizesIn(records: Records): Promise<Sizes> {
  const totalOf = async (family: RecordTypeName): Promise<number> =>
    (await records.list(family, { size: 1, page: 1 })).total;
  const [apis, policies, keys] = await Promise.all([
    totalOf("apis"),
    totalOf("policies"),
    totalOf("keys"),
  ]);
  return { apis, policies, keys };
}

export const formatSizes = ({ apis, policies, keys }: Sizes): string =>
  `${many(apis, "API")}, ${many(policies, "policy", "policies")} and ${many(keys, "key")}`;
