import type { Spec } from "vega";
import type { Drawable } from "./drawable.ts";

/** A template with a figure's own data, size and signals, as Vega draws it. */
export function bound(template: Spec, { data, signals, height }: Drawable, width: number): Spec {
  return {
    ...template,
    width,
    height,
    data: (template.data ?? []).map((source) =>
      source.name in data ? { ...source, values: data[source.name]! as object[] } : source,
    ),
    signals: (template.signals ?? []).map((signal) =>
      signal.name in signals ? { ...signal, value: signals[signal.name]! } : signal,
    ),
  };
}
