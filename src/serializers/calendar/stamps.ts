// Moments and days as iCalendar writes them (RFC 5545 sections 3.3.4 and 3.3.5), from our timestamps.
import { Temporal } from 'temporal-polyfill';

const squeeze = (text: string): string => text.replaceAll('-', '').replaceAll(':', '');

/** `20261121T200000`: local Cancún time of a timestamp that carries Cancún's offset. */
export const toLocalStamp = (timestamp: string): string => squeeze(timestamp.slice(0, 19));

/** `20261121`: the local day of a timestamp that carries Cancún's offset. */
export const toDateStamp = (timestamp: string): string => squeeze(timestamp.slice(0, 10));

/** `20261122T010000Z`: the same instant in UTC. */
export const toUtcStamp = (timestamp: string): string =>
  squeeze(Temporal.Instant.from(timestamp).toString({ smallestUnit: 'second' }));
