// Two views of the scenario, of which one is visible. Arrow keys move between the tabs.

export interface Tabs {
  readonly show: (name: string) => void;
}

/** `shown` is called when a tab becomes visible. */
export function followTabs(list: HTMLElement, shown: (name: string) => void): Tabs {
  const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
  const nameOf = ({ id }: HTMLElement): string => id.replace("tab-", "");

  function show(name: string): void {
    for (const tab of tabs) {
      const isShown = nameOf(tab) === name;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")!)!.hidden = !isShown;
    }
    shown(name);
  }

  list.addEventListener("click", ({ target }) => {
    const tab = tabs.find((each) => each === target);
    if (tab !== undefined) show(nameOf(tab));
  });
  list.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = tabs.indexOf(event.target as HTMLElement);
    if (by === undefined || at < 0) return;
    const next = tabs[(at + by + tabs.length) % tabs.length]!;
    event.preventDefault();
    next.focus();
    show(nameOf(next));
  });
  return { show };
}
