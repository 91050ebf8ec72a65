// The five management APIs (MGT-10).
export const INTERFACES = ["studio", "dashboard", "admin", "broker", "portal"] as const;
export type InterfaceName = (typeof INTERFACES)[number];
