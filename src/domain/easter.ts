// Easter Sunday, which carnival and Holy Week are counted from.
import { Temporal } from 'temporal-polyfill';

/** Easter Sunday of a Gregorian year (Meeus, Jones and Butcher). */
export function toEaster(year: number): Temporal.PlainDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d =
    (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return new Temporal.PlainDate(year, Math.floor(f / 31), (f % 31) + 1);
}
