// How the cells of tables about logs are written.
export const seconds = (us: number): string => `${(us / 1_000_000).toFixed(3)} s`;

export const timeText = (iso: string): string => iso.slice(0, 19).replace("T", " ");
