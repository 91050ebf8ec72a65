// What the page says of itself: to whoever looks, and to whoever listens.

/** Words that stand above everything else until the page is opened again. */
export function tellFirst(words: string): void {
  const notice = document.createElement("p");
  notice.className = "notice fail";
  notice.setAttribute("role", "alert");
  notice.textContent = words;
  document.getElementById("contents")!.prepend(notice);
}

const said = document.createElement("p");
said.className = "sr";
said.setAttribute("role", "status");
document.body.append(said);

/** For whoever does not see what has changed. */
export const say = (words: string): void => {
  said.textContent = words;
};

const tip = document.createElement("div");
tip.id = "tip";
tip.hidden = true;
tip.setAttribute("role", "tooltip");
document.body.append(tip);

const GAP = 14;

/** Beside a point of the window, and never outside of it. */
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
