// A user as the dashboard answers it: the access key is kept sealed, and returned as a value (MGT-5).
import type { User } from "../families/user.ts";
import type { Management } from "../management.ts";
import type { Stored } from "../records/records.ts";

export function shownUser({ secrets }: Management, { id, document }: Stored): User {
  const kept = document as unknown as User;
  const at = { family: "users", id, field: "access_key" } as const;
  return { ...kept, id, access_key: secrets.unseal(kept.access_key, at) };
}
