// An access key with the fields of the specification (MGT-8). The gateway's reader checks that the fields fit together.
import { z } from "zod";
import { errorAt } from "../../../kit/reading/problems.ts";
import { validateRecord } from "../validate-record.ts";
import type { RecordType } from "../record-type.ts";
import {
  anything,
  double,
  int32,
  int64,
  object,
  table,
  text,
  stringList,
  boolean,
} from "./fields.ts";

const fields = {
  access_rights: object.nullable(),
  alias: text.nullable(),
  allowance: double.nullable(),
  apply_policies: stringList.nullable(),
  apply_policy_id: text.nullable(),
  basic_auth_data: object.nullable(),
  certificate: text.nullable(),
  data_expires: int64.nullable(),
  date_created: text.nullable(),
  enable_detailed_recording: boolean.nullable(),
  expires: int64.nullable(),
  hmac_enabled: boolean.nullable(),
  hmac_string: text.nullable(),
  id_extractor_deadline: int64.nullable(),
  is_inactive: boolean.nullable(),
  jwt_data: object.nullable(),
  key_id: text,
  last_check: int64.nullable(),
  last_updated: text.nullable(),
  max_query_depth: int32.nullable(),
  meta_data: anything,
  monitor: object.nullable(),
  oauth_client_id: text.nullable(),
  oauth_keys: object.nullable(),
  org_id: text.nullable(),
  per: double.nullable(),
  quota_max: int64.nullable(),
  quota_remaining: int64.nullable(),
  quota_renewal_rate: int64.nullable(),
  quota_renews: int64.nullable(),
  rate: double.nullable(),
  session_lifetime: int64.nullable(),
  shadow: boolean.nullable(), // LIM-C13: not in the specification's table, but every limit has it
  smoothing: object.nullable(),
  tags: stringList.nullable(),
  throttle_interval: double.nullable(),
  throttle_retry_limit: int32.nullable(),
};

/** Fields may be unset; null clears a field (MGT-C5). */
export const key = table("a key", fields).partial();

/** A key that was imported from a world file may have other fields. */
export const keyResponse = z.looseObject(fields).partial();

export const keys: RecordType = {
  name: "keys",
  unknownMessage: "Key not found",
  conflictMessage: "Another key has this secret",
  idAt: ["key_id"],
  idIn: (document) => document["key_id"],
  prepare: ({ configuration }, id, document, before) => {
    const org = before?.document["org_id"] ?? null;
    const isMoved = org !== null && document["org_id"] !== org; // moved to another organisation (MGT-C10)
    const moved = errorAt(
      "MGT-ID",
      ["org_id"],
      `is not the one of this key: ${JSON.stringify(org)}`,
    );
    const problems = validateRecord("keys", id, document, before, configuration());
    return {
      document,
      foundBy: { unique: before?.unique ?? null, text: null },
      problems: isMoved ? [moved, ...problems] : problems,
    };
  },
};
