// The readers of configurations of other limiters. One recognizes a file, or --kind names it.
import { NGINX_READER } from "./nginx/read.ts";
import type { ConfigurationReader } from "./reading.ts";

export const READERS: readonly ConfigurationReader[] = [NGINX_READER];
