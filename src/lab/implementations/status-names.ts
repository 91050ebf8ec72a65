// Names of HTTP statuses, as configurations write them: Forbidden, TOO_MANY_REQUESTS.

const NAMES = `400 BadRequest 401 Unauthorized 402 PaymentRequired 403 Forbidden 404 NotFound 405 MethodNotAllowed
406 NotAcceptable 407 ProxyAuthenticationRequired 408 RequestTimeout 409 Conflict 410 Gone 411 LengthRequired
412 PreconditionFailed 413 PayloadTooLarge 414 URITooLong 415 UnsupportedMediaType 416 RangeNotSatisfiable
417 ExpectationFailed 418 ImATeapot 421 MisdirectedRequest 422 UnprocessableEntity 423 Locked 424 FailedDependency
425 TooEarly 426 UpgradeRequired 428 PreconditionRequired 429 TooManyRequests 431 RequestHeaderFieldsTooLarge
451 UnavailableForLegalReasons 500 InternalServerError 501 NotImplemented 502 BadGateway 503 ServiceUnavailable
504 GatewayTimeout 505 HTTPVersionNotSupported 506 VariantAlsoNegotiates 507 InsufficientStorage 508 LoopDetected
509 BandwidthLimitExceeded 510 NotExtended 511 NetworkAuthenticationRequired`;

const plain = (name: string): string => name.replaceAll(/[^a-z]/gi, "").toLowerCase();

const STATUSES: ReadonlyMap<string, number> = new Map(
  [...NAMES.matchAll(/\b(\d+) (\w+)/g)].map(([, status, name]) => [plain(name!), Number(status)]),
);

/** The status of a number or a name. Null: it is neither. */
export const statusOf = (text: string): number | null =>
  /^\d{3}$/.test(text) ? Number(text) : (STATUSES.get(plain(text)) ?? null);
