import type { View } from "vega";

/** A mark with a tooltip, and its position in the drawing. */
interface Spot {
  readonly words: string;
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
}

interface Item {
  readonly marktype?: string;
  readonly x?: number;
  readonly y?: number;
  readonly tooltip?: unknown;
  readonly bounds?: {
    readonly x1: number;
    readonly x2: number;
    readonly y1: number;
    readonly y2: number;
  };
  readonly items?: readonly Item[];
}

/** All marks with tooltips, in the order for keyboard users: from top to bottom, then from left to right. */
export function spotsOf(view: View): readonly Spot[] {
  const [left, top] = view.origin();
  const root = (view.scenegraph() as unknown as { readonly root: Item }).root;
  const right = left + Number(view.signal("width"));
  return within(root, left, top)
    .filter(({ x1, x2 }) => x2 >= left && x1 <= right) // marks outside the range are still there
    .toSorted((a, b) => a.y1 - b.y1 || a.x1 - b.x1);
}

function within(item: Item, x: number, y: number): readonly Spot[] {
  const isGroup = item.items !== undefined && item.marktype === undefined;
  const [dx, dy] = isGroup ? [item.x ?? 0, item.y ?? 0] : [0, 0];
  const { tooltip, bounds } = item;
  const own: readonly Spot[] =
    typeof tooltip === "string" && tooltip !== "" && bounds !== undefined
      ? [
          {
            words: tooltip,
            x1: bounds.x1 + x,
            x2: bounds.x2 + x,
            y1: bounds.y1 + y,
            y2: bounds.y2 + y,
          },
        ]
      : [];
  return [...own, ...(item.items ?? []).flatMap((each) => within(each, x + dx, y + dy))];
}
