// What a reader is told of a venue, of who organizes and of a notice, fact by fact and in this order, as events have
// theirs (domain/event/facts.ts): its page, its Markdown and MCP print this list, without what they say elsewhere.
import type { Lang } from '../domain/lang.ts';
import type { NoticeRecord } from '../domain/notice.ts';
import type { VenueDay } from '../domain/opening-hours.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { formatAddressLine } from '../domain/place-text.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { formatNoticePeriod } from './format-day.ts';
import { formatSourceDates } from './format-facts.ts';
import { directionsUrl, displayHost, phoneUrl } from './external-links.ts';
import {
  formatAdmissionWithAge,
  formatOpeningToday,
  formatOpeningWeek,
} from './format-opening-hours.ts';
import { formatNumber } from './format-price.ts';
import { t } from './translate.ts';

export interface FactPart {
  readonly text: string;
  readonly url?: string;
  /** Of an address that strangers wrote and that is said by itself: its host, which a page shows. */
  readonly host?: string;
  /** One of several, each below the other. */
  readonly is_line?: true;
}

/** The words of the labels; a page says those of documents above or below its list of facts. */
const LABELS = {
  today: ['label.hours', 'document'],
  hours: ['label.hours', 'page'],
  admission: ['label.admission', 'page'],
  address: ['label.address', 'document'],
  zone: ['places.zone', 'document'],
  where: ['label.where', 'page'],
  type: ['label.type', 'document'],
  accessibility: ['label.accessibility', 'page'],
  capacity: ['label.capacity', 'page'],
  website: ['label.website', 'page'],
  phone: ['label.phone', 'page'],
  social: ['label.social', 'page'],
  until: ['label.until', 'page'],
  source: ['label.source', 'page'],
  checked: ['label.checked', 'document'],
} as const;
type FactName = keyof typeof LABELS;

/** Each of the lines is said by itself; its parts beside each other. */
export interface RecordFact {
  readonly label: string;
  readonly lines: readonly (readonly FactPart[])[];
  readonly density?: 'page' | 'document';
  readonly is_free?: boolean;
}

type FactTuple = readonly [
  name: FactName,
  ...lines: readonly (FactPart | readonly FactPart[] | null)[],
];

const listKnown = (facts: readonly FactTuple[], lang: Lang): readonly RecordFact[] =>
  facts.flatMap(([name, ...told]) => {
    const lines = told.filter((line) => line !== null).map((line) => [line].flat());
    const [label, density] = LABELS[name];
    return lines.length === 0 ? [] : [{ label: t(lang, label), lines, density }];
  });

const say = (text: string | null | undefined): FactPart | null => (text ? { text } : null);
export const textLines = (texts: readonly (string | null | undefined)[]): readonly FactPart[] =>
  texts.flatMap((text) => (text ? [{ text, is_line: true }] : []));
const lead = (url: string): FactPart => ({ text: url, url, host: displayHost(url) });

/** `today`: its hours on the day of the page. */
export function listVenueFacts(
  venue: VenueRecord,
  today: VenueDay | null,
  zone: TaxonRecord | null,
  lang: Lang,
): readonly RecordFact[] {
  const { hours, accessibility, capacity, website, phone, social } = venue;
  const directions = directionsUrl(venue);
  const way = directions === null ? [] : [{ text: t(lang, 'label.directions'), url: directions }];
  const count = capacity === null ? null : formatNumber(capacity, lang);
  return listKnown(
    [
      ['today', say(hours && today && formatOpeningToday(today, lang))],
      ['hours', ...textLines(hours && today ? formatOpeningWeek(hours, today, lang) : [])],
      ['admission', ...textLines(formatAdmissionWithAge(venue, lang))],
      ['address', [{ text: formatAddressLine(venue) }, ...way]],
      ['zone', say(zone?.name[lang])],
      ['accessibility', say(accessibility?.[lang])],
      ['capacity', say(count && t(lang, 'places.people', { count }))],
      ['website', website === null ? null : lead(website)],
      ['phone', phone === null ? null : { text: phone, url: phoneUrl(phone) }],
      ['social', ...social.map((url): FactPart => ({ ...lead(url), is_line: true }))],
      ['checked', say(formatSourceDates(venue, lang))],
    ],
    lang,
  );
}

export function listOrganizerFacts(organizer: OrganizerRecord, lang: Lang): readonly RecordFact[] {
  const { type, verified, website, social } = organizer;
  const mark = verified ? ` (${t(lang, 'label.verified')})` : '';
  return listKnown(
    [
      ['type', say(t(lang, `organizer.type.${type}`) + mark)],
      ['website', website === null ? null : lead(website)],
      ['social', ...social.map((url): FactPart => ({ ...lead(url), is_line: true }))],
      ['checked', say(formatSourceDates(organizer, lang))],
    ],
    lang,
  );
}

export function listNoticeFacts(
  notice: NoticeRecord,
  zone: Pick<TaxonRecord, 'name'> | null,
  lang: Lang,
): readonly RecordFact[] {
  const { source, source_url } = notice;
  return listKnown(
    [
      ['where', say(zone?.name[lang])],
      ['until', say(formatNoticePeriod(notice, lang))],
      [
        'source',
        source_url === null ? say(source) : { text: source ?? source_url, url: source_url },
      ],
      ['checked', say(formatSourceDates(notice, lang))],
    ],
    lang,
  );
}
