import { Failure } from "../../kit/reading/failure.ts";
import { settingNamed, type SettingName, type Settings } from "../settings/table.ts";

/** Why an address cannot be listened on, and which setting to change. */
export function listenFailure(
  error: unknown,
  settings: Settings,
  setting: SettingName & `${string}.port`,
): Failure {
  const ownHost = setting.replace(/port$/, "host") as SettingName & `${string}.host`;
  const hostSetting = settings[ownHost] === null ? "admin.host" : ownHost;
  const host = settings[hostSetting];
  const port = settings[setting];
  const { flag } = settingNamed(setting);
  const named = flag === undefined ? setting : `${setting} (--${flag.name})`;
  const other = `set ${named} to another one, or to 0 for any free one`;
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  switch (code) {
    case "EADDRINUSE":
      return new Failure(`port ${port} of ${host} is in use; ${other}`);
    case "EACCES":
      return new Failure(
        `port ${port} of ${host} needs more rights than this process has; ${other}`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EAFNOSUPPORT":
    case "EINVAL": // fe80::1 without the interface that it belongs to
      return new Failure(`${host} is not an address of this machine; set ${hostSetting} to one`);
    case undefined:
    default:
      throw error;
  }
}
