import { settingNamed, type SettingName, type Settings } from "../settings/table.ts";

/** Why an address cannot be listened at, with the setting that says another one. */
export function whyNotListening(
  error: unknown,
  settings: Settings,
  setting: SettingName & `${string}.port`,
): string {
  const own = setting.replace(/port$/, "host") as SettingName & `${string}.host`;
  const hostSetting = settings[own] === null ? "admin.host" : own;
  const host = settings[hostSetting];
  const port = settings[setting];
  const { flag } = settingNamed(setting);
  const named = flag === undefined ? setting : `${setting} (--${flag})`;
  const other = `${named} says another one, and 0 takes any that is free`;
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} of ${host} is in use; ${other}`;
    case "EACCES":
      return `port ${port} of ${host} needs more rights than this process has; ${other}`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAFNOSUPPORT":
    case "EINVAL": // fe80::1 without the interface that it belongs to
      return `${host} is no address of this machine; ${hostSetting} says where to listen`;
    case undefined:
    default:
      throw error;
  }
}
