import { USUAL_BOUNDS, type RecordBounds } from "../management/records/bounds.ts";
import type { Settings } from "../settings/table.ts";

export const boundsIn = (settings: Settings): RecordBounds => ({
  ...USUAL_BOUNDS,
  recordBytes: settings["limits.record_bytes"],
  auditBytes: settings["limits.audit_bytes"],
  deliveriesBytes: settings["limits.deliveries_bytes"],
});
