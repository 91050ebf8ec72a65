// Notices of the page, for readers and for screen readers.

/** Shows a notice above everything else until the page is reopened. */
export function showNotice(words: string): void {
  const notice = document.createElement("p");
  notice.className = "notice fail";
  notice.setAttribute("role", "alert");
  notice.textContent = words;
  document.getElementById("contents")!.prepend(notice);
}

const live = document.createElement("p");
live.className = "sr";
live.setAttribute("role", "status");
document.body.append(live);

/** Announces a change to screen readers. */
export const announce = (words: string): void => {
  live.textContent = words;
};

const tip = document.createElement("div");
tip.id = "tip";
tip.hidden = true;
tip.setAttribute("role", "tooltip");
document.body.append(tip);

const GAP = 14;

/** Shows a tooltip next to a point of the window, and inside the window. */
export function showTip(words: string, x: number, y: number): void {
  tip.textContent = words;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const isLeft = x + GAP + width > document.documentElement.clientWidth - 4;
  tip.style.left = `${Math.max(4, isLeft ? x - GAP - width : x + GAP)}px`;
  tip.style.top = `${Math.max(4, Math.min(y + GAP, window.innerHeight - height - 4))}px`;
}

export const hideTip = (): void => {
  tip.hidden = true;
};
