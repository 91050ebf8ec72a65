import type { Control } from "../suite.ts";

export interface ControlOrder {
  readonly control: Exclude<Control, "unlimited">;
  readonly upstream: string | null; // null: it is the upstream
}

export type ControlReply =
  | { readonly origin: string; readonly pid: number } // of the process that serves
  | { readonly missing: string };
