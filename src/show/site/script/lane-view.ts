// The lanes of a timeline in the page: draws their requests, finds the one under a pointer, and marks some of them.
import { html } from "../../html/html.ts";
import { replaceContents } from "../../page/script/insert.ts";
import { pathOf } from "../home/columns.ts";
import type { RequestMarks } from "../request-marks.ts";
import {
  stacksOf,
  sumsOf,
  type LaneStacks,
  type LaneSums,
  type TimelineLane,
} from "../timeline/lanes.ts";
import { countHtml, graphHtml, laneHtml } from "../timeline/timeline-html.ts";

const COLUMN = 6; // pixels
const LEAST_COLUMNS = 40;
const MOST_COLUMNS = 180;

export interface LaneWithMarks extends TimelineLane {
  readonly marks: RequestMarks;
}

/** A request that a reader looks at. */
export interface SelectedRequest {
  readonly lane: LaneWithMarks;
  readonly index: number; // of the marks
}

export interface LaneView {
  readonly load: (lanes: readonly LaneWithMarks[], endUs: number) => void;
  /** Draws the lanes in columns that fit the width. True if the width is another one. */
  readonly resize: () => boolean;
  readonly width: () => number;
  /** Counts the requests until a time. */
  readonly count: (us: number) => void;
  /** The request under a point of the window, or the nearest in its column; null if there is none. */
  readonly requestAt: (x: number, y: number) => SelectedRequest | null;
  /** Puts a ring around a request, and marks into those that filled its budget, by their rows in the history. */
  readonly mark: (selected: SelectedRequest | null, filledBy: readonly number[]) => void;
  /** The lane that shows a request of a variant. */
  readonly laneOf: (variant: number, index: number) => LaneWithMarks | undefined;
}

interface ShownLane extends LaneWithMarks {
  readonly element: HTMLElement;
  readonly sums: LaneSums;
  stacks: LaneStacks;
}

/** Where a request is looked for, in columns and levels from the pointer: a finger is wider than a request. */
const NEAR: readonly (readonly [column: number, level: number])[] = [
  [0, 0],
  [0, -1],
  [0, -2],
  [-1, 0],
  [1, 0],
  [-1, -1],
  [1, -1],
];

export function createLaneView(place: HTMLElement): LaneView {
  let lanes: readonly ShownLane[] = [];
  let endUs = 1;
  let most = 1; // the height of each lane, in requests
  let width = place.clientWidth;
  let marked: Parameters<LaneView["mark"]> = [null, []];

  const columns = (): number =>
    Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, Math.floor(width / COLUMN)));
  const part = (lane: ShownLane, selector: string): HTMLElement =>
    lane.element.querySelector<HTMLElement>(selector)!;

  function draw(): void {
    most = Math.max(1, ...lanes.map(({ stacks }) => stacks.highest));
    for (const lane of lanes) replaceContents(part(lane, ".graph"), graphHtml(lane.stacks, most));
    mark(...marked);
  }

  function mark(selected: SelectedRequest | null, filledBy: readonly number[]): void {
    marked = [selected, filledBy];
    const rows = new Set(filledBy);
    for (const lane of lanes) {
      const { stacks, marks, indexes, variant } = lane;
      const cell = selected?.lane.variant === variant ? stacks.placeOf(selected.index) : null;
      const ring = part(lane, ".ring");
      ring.hidden = cell === null;
      if (cell !== null) {
        ring.style.left = `${(100 * (cell.column + 0.5)) / stacks.columns}%`;
        ring.style.bottom = `${(100 * (cell.level + 0.4)) / most}%`;
      }
      const filled =
        selected?.lane.variant === variant
          ? indexes.filter((index) => rows.has(marks.rows[index]!))
          : [];
      const path = filled.map((index) => requestPath(lane, index)).join("");
      part(lane, ".filled").setAttribute("d", path);
    }
  }

  /** One request in its stack. */
  function requestPath({ stacks }: ShownLane, index: number): string {
    const { column, level } = stacks.placeOf(index)!;
    const one = Array.from({ length: stacks.columns }, (_, each) => (each === column ? 1 : 0));
    return pathOf(
      one,
      one.map((each) => each * level),
      most,
    );
  }

  return {
    load(loaded, us) {
      endUs = us;
      width = place.clientWidth;
      replaceContents(place, html`${loaded.map(({ name }, lane) => laneHtml(name, lane))}`);
      const elements = place.querySelectorAll<HTMLElement>(".lane");
      lanes = loaded.map((lane, index) => ({
        ...lane,
        element: elements[index]!,
        sums: sumsOf(lane, lane.marks),
        stacks: stacksOf(lane, lane.marks, endUs, columns()),
      }));
      marked = [null, []];
      draw();
    },
    resize() {
      if (place.clientWidth === width) return false;
      width = place.clientWidth;
      for (const lane of lanes) lane.stacks = stacksOf(lane, lane.marks, endUs, columns());
      draw();
      return true;
    },
    width: () => width,
    count(us) {
      for (const lane of lanes)
        replaceContents(part(lane, '[data-part="count"]'), countHtml(lane.sums.until(us)));
    },
    requestAt(x, y) {
      for (const lane of lanes) {
        const box = part(lane, ".graph").getBoundingClientRect();
        if (y < box.top - 4 || y > box.bottom + 4) continue;
        const column = Math.floor(((x - box.left) / box.width) * lane.stacks.columns);
        const level = Math.max(0, Math.floor(((box.bottom - y) / box.height) * most));
        for (const [by, up] of NEAR) {
          const index = lane.stacks.at(column + by, Math.max(0, level + up));
          if (index >= 0) return { lane, index };
        }
      }
      return null;
    },
    mark,
    laneOf: (variant, index) =>
      lanes.find((lane) => lane.variant === variant && lane.stacks.placeOf(index) !== null),
  };
}
