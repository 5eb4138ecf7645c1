// What is listed of an event, a venue or who organizes, fact by fact, ready to print.
import type { EventDetail } from '../domain/agenda.ts';
import { type FactValue, listFacts } from '../domain/event/facts.ts';
import type { Lang } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { VenueDay } from '../domain/opening-hours.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { toFactLines } from '../i18n/fact-words.ts';
import { toHostName, toPhoneUrl } from '../i18n/links.ts';
import { toPricedLines, toWeekLines } from '../i18n/opening.ts';
import { toThingPath } from '../i18n/paths.ts';
import { toNumberText } from '../i18n/price.ts';
import { t } from '../i18n/translate.ts';

interface FactLine {
  readonly text: string;
  /** Where it leads. */
  readonly href?: string;
  /** Of an address that strangers wrote. */
  readonly rel?: 'nofollow ugc noopener';
  /** One of several, each below the other. */
  readonly is_line?: true;
}

export interface ListedFact {
  readonly label: string;
  readonly lines: readonly FactLine[];
  readonly is_free?: boolean;
}

const toLines = (texts: readonly (string | null | undefined)[]): readonly FactLine[] =>
  texts.flatMap((text) => (text ? [{ text, is_line: true }] : []));

export const listEventFacts = (detail: EventDetail, lang: Lang): readonly ListedFact[] =>
  listFacts(detail, 'page').map(({ name, value }) => ({
    label: t(lang, value.kind === 'place' ? 'label.where' : `label.${name}`),
    lines: toEventLines(value, lang),
    is_free: value.kind === 'price' && value.price.is_free,
  }));

function toEventLines(value: FactValue, lang: Lang): readonly FactLine[] {
  if (value.kind === 'organizer') {
    const { name, slug } = value.organizer;
    return [{ text: name, href: toThingPath('organizer', slug, lang) }];
  }
  if (value.kind !== 'place') return toLines(toFactLines(value, lang));
  const { venue, street, note, zone } = value;
  return [
    ...(venue ? [{ text: venue.name, href: toThingPath('venue', venue.slug, lang) }] : []),
    ...toLines([street, note?.[lang]]),
    ...toLines([zone?.name[lang]]).map((line) => ({
      ...line,
      ...(zone && { href: toThingPath('zone', zone.slug, lang) }),
    })),
  ];
}

/** Those that say something. */
const listKnown = (facts: readonly ListedFact[]): readonly ListedFact[] =>
  facts.filter(({ lines }) => lines.length > 0);

const OUTER = { rel: 'nofollow ugc noopener' } as const;

/** Where to ask: site, telephone, networks. */
const listContacts = (
  { website, phone, social }: Pick<VenueRecord, 'website' | 'phone' | 'social'>,
  lang: Lang,
): readonly ListedFact[] => [
  {
    label: t(lang, 'label.website'),
    lines: website ? [{ text: toHostName(website), href: website, ...OUTER }] : [],
  },
  {
    label: t(lang, 'label.phone'),
    lines: phone ? [{ text: phone, href: toPhoneUrl(phone) }] : [],
  },
  {
    label: t(lang, 'label.social'),
    lines: social.map((url) => ({ text: toHostName(url), href: url, is_line: true, ...OUTER })),
  },
];

export const listOrganizerFacts = (organizer: OrganizerRecord, lang: Lang): readonly ListedFact[] =>
  listKnown(listContacts({ ...organizer, phone: null }, lang));

export function listVenueFacts(
  venue: VenueRecord,
  today: VenueDay | null,
  lang: Lang,
): readonly ListedFact[] {
  const { hours, accessibility, capacity } = venue;
  const people =
    capacity === null ? null : t(lang, 'places.people', { count: toNumberText(capacity, lang) });
  return listKnown([
    {
      label: t(lang, 'label.hours'),
      lines: toLines(hours && today ? toWeekLines(hours, today, lang) : []),
    },
    { label: t(lang, 'label.admission'), lines: toLines(toPricedLines(venue, lang)) },
    {
      label: t(lang, 'label.accessibility'),
      lines: accessibility ? [{ text: accessibility[lang] }] : [],
    },
    { label: t(lang, 'label.capacity'), lines: people === null ? [] : [{ text: people }] },
    ...listContacts(venue, lang),
  ]);
}
