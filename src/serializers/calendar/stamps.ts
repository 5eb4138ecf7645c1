// Moments and days as iCalendar writes them (RFC 5545 sections 3.3.4 and 3.3.5).
import { Temporal } from 'temporal-polyfill';
import { formatTimestamp, fromDayNumber } from '../../domain/cancun-time.ts';

/** `20261121T200000`, local Cancún time of epoch milliseconds. */
export const toLocalStamp = (epoch_ms: number): string => formatTimestamp(epoch_ms).slice(0, 19).replaceAll(/[-:]/g, '');

/** `20261121` of a day number. */
export const toDateStamp = (day: number): string => fromDayNumber(day).toString().replaceAll('-', '');

/** `20261122T010000Z` of a timestamp with offset. */
export const toUtcStamp = (timestamp: string): string => Temporal.Instant.from(timestamp).toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
