// A policy is stored in the form in which it was sent (MGT-C5). The gateway's reader checks most of its fields.
import { z } from "zod";
import { validateRecord } from "../validate-record.ts";
import type { RecordType } from "../record-type.ts";
import type { Stored } from "../records/records.ts";
import { type JsonObject, mergeBody } from "../json.ts";
import { anything, int64, object, text, stringList, boolean } from "./fields.ts";

/** The fields whose type is the same in every policy; other fields are allowed. */
export const policy = z
  .looseObject(
    {
      id: text,
      name: text.nullable(),
      org_id: text.nullable(),
      access_rights: object.nullable(),
      apis: stringList.nullable(),
      partitions: object.nullable(),
      rate: anything,
      per: anything,
      smoothing: object.nullable(),
      quota_max: int64.nullable(),
      quota_renewal_rate: anything,
      throttle_interval: anything,
      throttle_retry_limit: int64.nullable(),
      is_inactive: boolean.nullable(),
      meta_data: anything,
      tags: stringList.nullable(),
    },
    "a policy is an object",
  )
  .partial();

export const policies: RecordType = {
  name: "policies",
  unknownMessage: "Policy not found",
  conflictMessage: "The id of this policy is taken",
  idAt: ["id"],
  idIn: (document) => document["id"] ?? document["_id"],
  merge: (before, body) => (before === null ? body : mergeBody(before, body)),
  prepare: ({ configuration }, id, document, before) => ({
    document,
    foundBy: { unique: null, text: null },
    problems: validateRecord("policies", id, document, before, configuration()),
  }),
};

export const policyView = ({ id, document }: Stored): JsonObject => ({ ...document, id });
