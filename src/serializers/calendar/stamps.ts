// Moments and days as iCalendar writes them (RFC 5545 sections 3.3.4 and 3.3.5), from our
// timestamps.
import { Temporal } from 'temporal-polyfill';

/** `20261121`: the local day of a timestamp that carries Cancún's offset. */
export const toDateStamp = (timestamp: string): string =>
  `${timestamp.slice(0, 4)}${timestamp.slice(5, 7)}${timestamp.slice(8, 10)}`;

/** `20261121T200000`: local Cancún time of a timestamp that carries Cancún's offset. */
export const toLocalStamp = (timestamp: string): string =>
  `${toDateStamp(timestamp)}T${timestamp.slice(11, 13)}${timestamp.slice(14, 16)}${timestamp.slice(17, 19)}`;

/** `20261122T010000Z`: the same instant in UTC. */
export const toUtcStamp = (timestamp: string): string =>
  `${toLocalStamp(Temporal.Instant.from(timestamp).toString({ smallestUnit: 'second' }))}Z`;
