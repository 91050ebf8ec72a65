import type { Control } from "../suite.ts";

export interface ControlOrder {
  readonly control: Exclude<Control, "unlimited">;
  readonly upstream: string | null; // null: it is the upstream
  readonly store: string | null; // the address of the run's Redis; null: no cell uses one
}

export interface ServedControl {
  readonly origin: string;
  readonly pid: number; // of the process that serves; negative: of its group
}

/** Plain data, because it crosses processes. */
export type ControlReply =
  | ({ readonly kind: "served" } & ServedControl)
  | { readonly kind: "missing"; readonly why: string };
