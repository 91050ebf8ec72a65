export const HOST = "127.0.0.1";
/** What the load asks for, and as whom. */
export const PATH = "/orders/7";
export const KEY = "alice";
/** A limit that is judged and counted, and never reached. */
export const NEVER = { rate: 1_000_000_000, per: 60 };
