/** What a page and its drawings are set in: a drawing is measured by the name of its font, and "inherit" is none. */
export const FONT = 'system-ui, "Segoe UI", "Noto Sans", Arial, sans-serif';
