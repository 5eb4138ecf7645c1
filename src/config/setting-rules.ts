// The rules that settings of the environment follow, each with the sentence that says what is accepted.
import * as v from 'valibot';

/** A text that may be left out, never empty. */
export const text = (fallback: string) =>
  v.optional(v.pipe(v.string(), v.trim(), v.minLength(1, 'must not be empty')), fallback);
/** A text that may be left out, then empty. */
export const absent = v.optional(v.pipe(v.string(), v.trim()), '');
/** A whole number within bounds, both included. */
export const integer = (fallback: number, min: number, max: number) =>
  v.pipe(
    v.optional(v.string(), String(fallback)),
    v.regex(/^\d+$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(min, `must be ${min} or more`),
    v.maxValue(max, `must be ${max} or less`),
  );
const TILE_PLACES = ['{z}', '{x}', '{y}'] as const;
const isWeb = (t: string): boolean => URL.canParse(t) && /^https?:$/.test(new URL(t).protocol);
/** Whether an address is one of single tiles, with its places. */
export const isTiles = (t: string): boolean => TILE_PLACES.every((place) => t.includes(place));
/** An instant with its offset. */
export const instant = v.pipe(
  absent,
  v.check(
    (t) => t === '' || /(Z|[+-]\d{2}:\d{2})$/.test(t),
    'must be an instant with an offset, as 2026-11-20T23:59:30-05:00',
  ),
  v.check(
    (t) => t === '' || !Number.isNaN(Date.parse(t)),
    'must be an instant that exists, as 2026-11-20T23:59:30-05:00',
  ),
);
/** Hosts with their ports, separated by commas. */
export const hosts = v.pipe(
  absent,
  v.transform((t) => t.split(',').filter((host) => host !== '')),
  v.everyItem(
    (host) => /^[^\s/@]+:\d+$/.test(host),
    'must be hosts with their ports, separated by commas, as 127.0.0.1:8080',
  ),
);
/** Origins, separated by commas. */
export const origins = v.pipe(
  absent,
  v.transform((t) => t.split(',').filter((origin) => origin !== '')),
  v.everyItem(
    (origin) => isWeb(origin) && new URL(origin).origin === origin,
    'must be origins without a path, separated by commas, as https://fonts.example',
  ),
);
/** An address of tiles with its places, or that of a style. */
export const tiles = v.pipe(
  absent,
  v.check((t) => t === '' || isWeb(t), 'must be an address that begins with https:// or http://'),
  v.check(
    (t) => !isWeb(t) || isTiles(t) || /\.json$/.test(new URL(t).pathname),
    'must have {z}, {x} and {y} in it, or be the address of a style that ends with .json',
  ),
);
/** One e-mail address. */
export const email = v.pipe(
  absent,
  v.check((t) => t === '' || /^[^\s@<>"]+@[^\s@<>"]+$/.test(t), 'must be one e-mail address'),
);

/** An SMTP server: what it is given never stands in a message, for it may hold a password. */
export const smtp = v.pipe(
  absent,
  v.check(
    (t) => t === '' || (/^smtps?:\/\/[^/]/.test(t) && URL.canParse(t)),
    'must be smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before the host where it asks for them',
  ),
);
/** E-mail addresses, separated by commas, 20 at most. */
export const emails = v.pipe(
  absent,
  v.transform((t) => [...new Set(t.split(',').map((one) => one.trim()))].filter((one) => one)),
  v.everyItem(
    (one) => v.is(email, one),
    'must be e-mail addresses, separated by commas, as ana@hoy.example,eva@hoy.example',
  ),
  v.maxLength(20, 'must be at most 20 addresses'),
);
