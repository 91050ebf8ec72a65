// What heads and chunks are made of (RFC 9110, 5.5 and 5.6.2), read as Latin-1.

export const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Of a field, or of a line that is not whole yet: no control character but the tab. */
export const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
