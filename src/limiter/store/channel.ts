// Messages to all gateways of a fleet. A disconnected gateway misses messages without an error. Each gateway also
// receives its own messages, and so notices that messages are lost.
export interface Channel {
  /** Resolves to null when the subscription has begun, or to the reason why the store rejects the subscription. */
  readonly listen: (onMessage: (text: string) => void) => Promise<string | null>;
  /** False: there is no connection. */
  readonly publish: (text: string) => boolean;
  /** Opens a new connection after messages were lost. */
  readonly renew: () => void;
  readonly close: () => Promise<void>; // no message is received afterwards
}
