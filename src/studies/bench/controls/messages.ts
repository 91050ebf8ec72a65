import type { Control } from "../suite.ts";

export interface ControlOrder {
  readonly control: Exclude<Control, "unlimited">;
  readonly upstream: string | null; // null: this control is the upstream
  readonly store: string | null; // the address of the run's Redis; null: no cell uses Redis
}

export interface ServedControl {
  readonly origin: string;
  readonly pid: number; // the process that serves; negative: a process group
}

/** Plain data, because it crosses processes. */
export type ControlReply =
  | ({ readonly kind: "served" } & ServedControl)
  | { readonly kind: "missing"; readonly why: string };
