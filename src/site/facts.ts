// What is listed of an event, a venue or who organizes, fact by fact, ready to print.
import type { EventDetail } from '../domain/agenda.ts';
import { type FactValue, listFacts } from '../domain/event/facts.ts';
import type { Lang } from '../domain/lang.ts';
import { toFactLines } from '../i18n/fact-words.ts';
import { toHostName } from '../i18n/links.ts';
import { toThingPath } from '../i18n/paths.ts';
import type { ThingFact } from '../i18n/thing-facts.ts';
import { t } from '../i18n/translate.ts';

interface FactLine {
  readonly text: string;
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

/** What stands above the list of a page, or below it. */
const SAID_ELSEWHERE: readonly ThingFact['name'][] = [
  'today',
  'address',
  'zone',
  'type',
  'checked',
];
/** What may have several lines. */
const OF_LINES: readonly ThingFact['name'][] = ['hours', 'admission', 'social'];

/** Those of a venue or of who organizes; an address of theirs by the name of its host. */
export const printFacts = (facts: readonly ThingFact[]): readonly ListedFact[] =>
  facts
    .filter(({ name }) => !SAID_ELSEWHERE.includes(name))
    .map(({ name, label, lines }) => ({
      label,
      lines: lines.flat().map(({ text, url }) => ({
        text: url === text ? toHostName(url) : text,
        ...(url !== undefined && { href: url }),
        ...(url === text && { rel: 'nofollow ugc noopener' as const }),
        ...(OF_LINES.includes(name) && { is_line: true as const }),
      })),
    }));
