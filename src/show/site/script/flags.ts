// What happens during a run, as flags above the lanes: dragged to another time, moved by keys, or removed.
import { formatDuration, micros, SECOND } from "../../../kit/units.ts";
import { html } from "../../html/html.ts";
import { replaceContents } from "../../page/script/insert.ts";
import { eventsAfter, type TimelineEvent } from "../timeline/events.ts";
import { flagHtml } from "../timeline/timeline-html.ts";
import { applyChange, withoutItem, withTime, type TextChange } from "../with-fault.ts";
import type { Editor } from "./editor.ts";

export interface Flags {
  /** `text` is the one in which the events are. */
  readonly show: (events: readonly TimelineEvent[], text: string) => void;
  /** Places the flags again, because the axis or the width is another one. */
  readonly place: (endUs: number) => void;
}

/** Of the axis, by one press of a key. */
const STEPS = 50;
const ROW = 1.9; // rem
const HEIGHT = 1.6;
/** A pointer that moves less than this, in pixels, drags nothing. */
const LEAST_DRAG = 3;

/** `editor` has the text, which the flags change. */
export function createFlags(place: HTMLElement, editor: Pick<Editor, "change" | "text">): Flags {
  let events: readonly TimelineEvent[] = [];
  let text = "";
  let endUs = SECOND as number;
  let drag: {
    readonly index: number;
    readonly fromX: number;
    us: number;
    isMoving: boolean;
  } | null = null;

  const flags = (): readonly HTMLElement[] => [...place.querySelectorAll<HTMLElement>(".flag")];
  const share = (us: number): number => Math.min(1, us / endUs);
  /** In tenths of a second, or finer where the axis is short. */
  const secondsOf = (us: number): number => {
    const digits = endUs <= 3 * SECOND ? 3 : 1;
    return Number((Math.min(endUs, Math.max(0, us)) / SECOND).toFixed(digits));
  };

  function arrange(): void {
    const width = place.clientWidth;
    const rows: number[] = []; // the right end of each row, in pixels
    let most = 0;
    for (const [index, flag] of flags().entries()) {
      const event = events[index]!;
      const x = share(drag?.index === index ? drag.us : event.atUs) * width;
      const isLeft = x + flag.offsetWidth > width;
      const from = isLeft ? x - flag.offsetWidth : x;
      let row = rows.findIndex((right) => right < from);
      if (row < 0) row = rows.length;
      rows[row] = from + flag.offsetWidth + 4;
      most = Math.max(most, row + 1);
      flag.classList.toggle("left", isLeft);
      flag.style.left = `${from}px`;
      flag.style.top = `${row * ROW}rem`;
      flag.style.setProperty(
        "--lasts",
        `${Math.min(1 - share(event.atUs), event.forUs / endUs) * width}px`,
      );
      const button = flag.querySelector<HTMLElement>(".move")!;
      button.setAttribute(
        "aria-label",
        `${event.words}, at ${formatDuration(micros(Math.round(event.atUs)))}: arrow keys move it, Delete removes it`,
      );
    }
    place.style.height = `${most * ROW}rem`;
    const below = place.nextElementSibling!.clientHeight;
    for (const flag of flags()) {
      const rest = most * ROW - Number.parseFloat(flag.style.top) - HEIGHT;
      flag.style.setProperty("--reach", `calc(${rest}rem + ${below}px)`);
    }
  }

  const indexOf = (target: EventTarget | null): number =>
    target instanceof Element
      ? Number(target.closest<HTMLElement>(".flag")?.dataset["flag"] ?? -1)
      : -1;

  /** Changes the text at the place of an event. Until a text has been read, its events have no places. */
  function apply(event: TimelineEvent, change: TextChange, atUs: number | null): void {
    if (editor.text() !== text) return;
    text = applyChange(text, change);
    events = eventsAfter(events, change).flatMap((each, index) =>
      events[index] !== event ? [each] : atUs === null ? [] : [{ ...each, atUs }],
    );
    editor.change(change);
    render();
  }

  const move = (event: TimelineEvent, seconds: number): void =>
    apply(event, withTime(event.at, seconds), Math.round(seconds * SECOND));
  const remove = (event: TimelineEvent): void => apply(event, withoutItem(text, event.item), null);

  let rendered = "";
  function render(): void {
    const words = JSON.stringify(events.map((event) => event.words));
    // Buttons that stay keep the focus while keys move them.
    if (words !== rendered) {
      const hadFocus = place.contains(document.activeElement);
      replaceContents(place, html`${events.map(flagHtml)}`);
      if (hadFocus) {
        const next = place.querySelector<HTMLElement>(".move");
        (next ?? document.querySelector<HTMLElement>('[data-part="moment"]')!).focus();
      }
    }
    rendered = words;
    arrange();
  }

  place.addEventListener("click", ({ target }) => {
    const event = events[indexOf(target)];
    if (event !== undefined && target instanceof Element && target.closest(".remove"))
      remove(event);
  });
  place.addEventListener("keydown", (key) => {
    const event = events[indexOf(key.target)];
    if (event === undefined || !(key.target as Element).matches(".move")) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[key.key];
    if (by !== undefined) move(event, secondsOf(event.atUs + (by * endUs) / STEPS));
    else if (key.key === "Delete" || key.key === "Backspace") remove(event);
    else return;
    key.preventDefault();
  });
  place.addEventListener("pointerdown", (pointer) => {
    const index = indexOf(pointer.target);
    if (index < 0 || !(pointer.target as Element).matches(".move")) return;
    drag = { index, fromX: pointer.clientX, us: events[index]!.atUs, isMoving: false };
    (pointer.target as Element).setPointerCapture(pointer.pointerId);
  });
  place.addEventListener("pointermove", ({ clientX }) => {
    if (drag === null) return;
    const by = clientX - drag.fromX;
    drag.isMoving ||= Math.abs(by) > LEAST_DRAG;
    if (!drag.isMoving) return;
    const us = events[drag.index]!.atUs + (by / place.clientWidth) * endUs;
    drag.us = Math.min(endUs, Math.max(0, us));
    arrange();
  });
  const drop = (): void => {
    const dropped = drag;
    drag = null;
    if (dropped?.isMoving === true) move(events[dropped.index]!, secondsOf(dropped.us));
  };
  place.addEventListener("pointerup", drop);
  place.addEventListener("pointercancel", () => {
    drag = null;
    arrange();
  });
  new ResizeObserver(arrange).observe(place);

  return {
    show: (shown, of) => {
      events = shown;
      text = of;
      render();
    },
    place: (us) => {
      endUs = us;
      arrange();
    },
  };
}
