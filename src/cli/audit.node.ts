// `weir audit`: lists which actor changed which record. The gateway may run at the same time.
import { showEntry } from "../gateway/management/admin/tokens.ts";
import { writeJson, type JsonObject } from "../gateway/management/json.ts";
import { AUDIT_KINDS } from "../gateway/management/records/bounds.ts";
import type { AuditEntry } from "../gateway/management/records/records.ts";
import { legible, oneLine } from "../kit/reading/legible.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { loadSettings } from "../gateway/serving/load.node.ts";
import { withRecords } from "./records-for-command.node.ts";

const MOST = 100;

export const audit: Action = async ({ values, switches }, terminal, refuse) => {
  const { out } = terminal;
  const most = Number(values.get("limit") ?? MOST);
  if (!Number.isSafeInteger(most) || most < 1)
    return refuse(`--limit must be an integer above 0; got "${values.get("limit")}"`);
  const only = AUDIT_KINDS.find((each) => each === values.get("only")) ?? null;
  if (only === null && values.has("only"))
    return refuse(`--only must be ${AUDIT_KINDS.join(" or ")}; got "${values.get("only")}"`);
  return withRecords(loadSettings(values, undefined, "never"), terminal, async (records) => {
    const entries = await records.listAudit(most, only);
    if (switches.has("json")) {
      const format = "weir-audit/1";
      out(legible(writeJson({ format, entries: entries.map(showEntry) }, 2)));
    } else for (const entry of entries) out(lineOf(entry));
    return EXIT.passed;
  });
};

const timeOf = (us: number): string => new Date(us / 1_000).toISOString();

/** Formats an entry safely on one line, because writers of records choose all of its content, names included. */
export const lineOf = ({ atUs, actor, operation, family, id, before, after }: AuditEntry): string =>
  oneLine([timeOf(atUs), actor, operation, `${family} ${id}`, changesOf(before, after)].join("  "));

function changesOf(before: JsonObject | null, after: JsonObject | null): string {
  if (before === null) return "created";
  if (after === null) return "deleted";
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.flatMap((name) => {
    const [old, next] = [before[name], after[name]].map((value) =>
      value === undefined ? "-" : writeJson(value),
    );
    return old === next ? [] : [`${name}: ${old} > ${next}`];
  });
  return changed.length === 0 ? "only secrets" : changed.join(", ");
}
