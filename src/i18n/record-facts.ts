// Record facts: lists the facts of a venue, organizer or notice in display order, as for events
// (domain/event/facts.ts). Pages, Markdown and MCP render this list, without the facts that they
// show elsewhere.
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

/** A text of a fact, or a link. */
export interface FactPart {
  readonly text: string;
  readonly url?: string;
  /** Host of an untrusted URL that is shown as its own text; pages show only the host. */
  readonly host?: string;
  /** True if it is a line of its own. */
  readonly is_line?: true;
}

/**
 * Label key and density of each fact. A fact of density `page` is in the list of facts everywhere;
 * one of density `document` only in Markdown and MCP, because pages show it elsewhere.
 */
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

/** A labeled fact of one or more lines; the parts of a line are inline. */
export interface RecordFact {
  readonly label: string;
  readonly lines: readonly (readonly FactPart[])[];
  readonly density?: 'page' | 'document';
  readonly is_free?: boolean;
}

/** A fact before it is labeled; a null line is omitted, and so is a fact without lines. */
type FactTuple = readonly [
  name: FactName,
  ...lines: readonly (FactPart | readonly FactPart[] | null)[],
];

const buildFacts = (facts: readonly FactTuple[], lang: Lang): readonly RecordFact[] =>
  facts.flatMap(([name, ...values]) => {
    const lines = values.filter((line) => line !== null).map((line) => [line].flat());
    const [label, density] = LABELS[name];
    return lines.length === 0 ? [] : [{ label: t(lang, label), lines, density }];
  });

const textPart = (text: string | null | undefined): FactPart | null => (text ? { text } : null);
export const textLines = (texts: readonly (string | null | undefined)[]): readonly FactPart[] =>
  texts.flatMap((text) => (text ? [{ text, is_line: true }] : []));
const urlPart = (url: string): FactPart => ({ text: url, url, host: displayHost(url) });

/**
 * Lists the facts of a venue.
 * @param today Its hours on the day of the page.
 */
export function listVenueFacts(
  venue: VenueRecord,
  today: VenueDay | null,
  zone: TaxonRecord | null,
  lang: Lang,
): readonly RecordFact[] {
  const { hours, accessibility, capacity, website, phone, social } = venue;
  const directions = directionsUrl(venue);
  const directions_link =
    directions === null ? [] : [{ text: t(lang, 'label.directions'), url: directions }];
  const count = capacity === null ? null : formatNumber(capacity, lang);
  return buildFacts(
    [
      ['today', textPart(hours && today && formatOpeningToday(today, lang))],
      [
        'hours',
        ...textLines(
          hours && today ? formatOpeningWeek(hours, today, lang) : [t(lang, 'opening.none')],
        ),
      ],
      ['admission', ...textLines(formatAdmissionWithAge(venue, lang))],
      ['address', [{ text: formatAddressLine(venue) }, ...directions_link]],
      ['zone', textPart(zone?.name[lang])],
      ['accessibility', textPart(accessibility?.[lang])],
      ['capacity', textPart(count && t(lang, 'places.people', { count }))],
      ['website', website === null ? null : urlPart(website)],
      ['phone', phone === null ? null : { text: phone, url: phoneUrl(phone) }],
      ['social', ...social.map((url): FactPart => ({ ...urlPart(url), is_line: true }))],
      ['checked', textPart(formatSourceDates(venue, lang))],
    ],
    lang,
  );
}

export function listOrganizerFacts(organizer: OrganizerRecord, lang: Lang): readonly RecordFact[] {
  const { type, verified, website, social } = organizer;
  const mark = verified ? ` (${t(lang, 'label.verified')})` : '';
  return buildFacts(
    [
      ['type', textPart(t(lang, `organizer.type.${type}`) + mark)],
      ['website', website === null ? null : urlPart(website)],
      ['social', ...social.map((url): FactPart => ({ ...urlPart(url), is_line: true }))],
      ['checked', textPart(formatSourceDates(organizer, lang))],
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
  return buildFacts(
    [
      ['where', textPart(zone?.name[lang])],
      ['until', textPart(formatNoticePeriod(notice, lang))],
      [
        'source',
        source_url === null ? textPart(source) : { text: source ?? source_url, url: source_url },
      ],
      ['checked', textPart(formatSourceDates(notice, lang))],
    ],
    lang,
  );
}
