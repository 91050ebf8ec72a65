// A user of the dashboard, as the document has it (MGT-5).
import { z } from "zod";
import { int32, object, table, text, yesOrNo } from "./fields.ts";

const permissions = z.record(z.string(), text, { error: "is a map from names to texts" });

/** As it is kept and answered: every field is there. */
export const user = table("a user", {
  access_key: text,
  active: yesOrNo,
  api_model: object,
  created_at: text,
  email_address: text,
  first_name: text,
  last_name: text,
  group_id: text,
  id: text,
  last_login_date: text,
  org_id: text,
  password_max_days: int32,
  password_updated: text,
  user_permissions: permissions,
});
export type User = z.infer<typeof user>;
