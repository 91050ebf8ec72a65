// How the cells of tables about logs are written.
export const LONGEST_CLIENT = 60;
export const cut = (text: string, longest = LONGEST_CLIENT): string =>
  text.length > longest ? `${text.slice(0, longest - 3)}...` : text;

export const thousands = (value: number): string => value.toLocaleString("en-US");

/** Rounds a share, but writes `0 %` and `100 %` only for exactly these. */
export const percent = (part: number | null): string => {
  if (part === null) return "";
  if (part === 0) return "0 %";
  if (part === 1) return "100 %";
  const text = (100 * part).toFixed(1);
  return { "0.0": "<0.1 %", "100.0": ">99.9 %" }[text] ?? `${text} %`;
};

export const seconds = (us: number): string => `${(us / 1_000_000).toFixed(3)} s`;

export const timeText = (iso: string): string => iso.slice(0, 19).replace("T", " ");
