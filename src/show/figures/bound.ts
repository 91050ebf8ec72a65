import type { Spec } from "vega";
import type { Drawable } from "./drawable.ts";

/** Fills a template with the data, size and signals of a figure. */
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
