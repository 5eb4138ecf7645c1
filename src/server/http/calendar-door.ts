// The door for calendars: a file that is sent, or one that is fetched at a stranger's wish, from the
// public internet only; so many at once and in an hour, of few bytes and within little time.
import { FEED_LIMITS } from '../../domain/batch/feed-event.ts';
import { isForm, MAX_FORM_BYTES, parseForm } from '../../http/form-body.ts';
import { isMultipart, readMultipart } from '../../http/multipart.ts';
import { download } from '../../pictures/download.ts';
import { PictureError } from '../../pictures/picture-error.ts';
import type { SentCalendar } from '../../site/visit.ts';
import { toSender } from './client-address.ts';
import { type CountHourly, createHourly } from './hourly.ts';
import type { RequestContext } from './request-context.ts';
import type { Sent } from './sent-form.ts';

/** The controls of the file and of the address. */
const CONTROLS = { file: 'calendar', address: 'calendar_url' } as const;
const FETCH_TIMEOUT_MS = 8_000;
const READ_TIMEOUT_MS = 60_000;
/** Calendars that are read or fetched for one address in an hour; those on their way at one time. */
const RATES = { an_hour: 12, at_once: 4 } as const;
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_ADDRESS = 1_000;
/** What calendars are served as, and what they should not be but are. */
const ACCEPT = 'text/calendar, text/plain;q=0.5, */*;q=0.1';

/** The way in of a process. */
export interface CalendarDoor {
  /** Counts one that is to be read. */
  readonly count: CountHourly;
  /** Fetches what is at an address. */
  readonly fetch: (address: string) => Promise<SentCalendar>;
}

/** `allowed`: `host:port` of servers that may be private. */
export function createCalendarDoor(
  allowed: readonly string[],
  an_hour: number = RATES.an_hour,
): CalendarDoor {
  let on_the_way = 0;
  return {
    count: createHourly(an_hour),
    fetch: async (address) => {
      if (on_the_way >= RATES.at_once) return { problem: 'busy' };
      on_the_way++;
      try {
        return { bytes: await fetchCalendar(address, allowed), url: address };
      } catch (thrown) {
        if (!(thrown instanceof PictureError)) throw thrown;
        return { problem: thrown.failure ?? 'not_fetched' };
      } finally {
        on_the_way--;
      }
    },
  };
}

const fetchCalendar = (address: string, allowed: readonly string[]): Promise<Buffer> =>
  download(address, {
    allowed,
    accept: ACCEPT,
    max_bytes: FEED_LIMITS.bytes,
    timeout_ms: FETCH_TIMEOUT_MS,
  });

/** `webcal://` is how calendars are subscribed to; what has no scheme is on the web. */
function toAddress(text: string): string {
  const address = text.trim().replace(/^webcals?:/i, 'https:');
  return /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(address) ? `https://${address}` : address;
}

/** What was sent to a form for calendars, with the calendar in it, fetched where only an address is given. */
export async function readSentCalendar(
  context: RequestContext,
): Promise<Sent & { readonly calendar: SentCalendar | null }> {
  const { request, service, socket_address } = context;
  const type = request.headers['content-type'] ?? '';
  const nothing = {
    picture_problem: null,
    retry_at_ms: null,
    is_read: true,
    calendar: null,
  } as const;
  if (!isMultipart(type)) {
    if (!isForm(type)) return { ...nothing, fields: {}, refusal: 415 };
    const body = await context.readBody(MAX_FORM_BYTES);
    if (body.length > MAX_FORM_BYTES)
      return { ...nothing, fields: {}, refusal: 413, is_read: false };
    return { ...nothing, fields: parseForm(body.toString('utf8')), refusal: null };
  }
  const form = await readMultipart(type, context.streamBody(), {
    file: CONTROLS.file,
    file_bytes: FEED_LIMITS.bytes,
    body_bytes: MAX_BODY_BYTES,
    timeout_ms: READ_TIMEOUT_MS,
  });
  const sent = { ...nothing, fields: form.fields, refusal: null, is_read: form.is_whole };
  if (form.file?.is_too_large) return { ...sent, calendar: { problem: 'too_large' } };
  if (!form.is_whole) return { ...sent, refusal: 400, calendar: { problem: 'cut_off' } };
  const address = toAddress(form.fields[CONTROLS.address] ?? '');
  if (form.file === null && address === '')
    return { ...sent, calendar: { problem: 'nothing_given' } };
  if (address.length > MAX_ADDRESS) return { ...sent, calendar: { problem: 'not_address' } };
  const { calendars, access } = service;
  const wait_ms = calendars.count(toSender(request, socket_address, access));
  if (wait_ms !== null) {
    const retry_at_ms = context.now_ms + wait_ms;
    return { ...sent, retry_at_ms, calendar: { problem: 'too_often' } };
  }
  if (form.file !== null) return { ...sent, calendar: { bytes: form.file.bytes, url: null } };
  return { ...sent, calendar: await calendars.fetch(address) };
}
