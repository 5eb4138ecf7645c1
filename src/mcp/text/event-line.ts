// An event of a list as one item of Markdown: its title as a link, what is to be known in a line,
// what it is, what to confirm.
import type { PhrasingContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import { findOriginals, type OccurrenceRecord } from '../../domain/event/event.ts';
import { listFacts } from '../../domain/event/facts.ts';
import { fold } from '../../domain/folding.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toBriefWhen } from '../../i18n/brief-dates.ts';
import { LINE_JOINT, toFactLines } from '../../i18n/fact-lines.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { toPriceConfirm, toPriceText } from '../../i18n/price.ts';
import { t } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { toWhenWords } from '../../serializers/markdown/event.ts';
import { link, list, plain, strong, text } from '../../serializers/markdown/nodes.ts';

const JOINT = ' · ';

/** What stands above the line, and is not said again in it. */
export interface Above {
  /** The day. */
  readonly day: boolean;
  /** The zone: there is no other in the list. */
  readonly zone: boolean;
  readonly year: number;
}

/** The facts that stand in the line; what to confirm comes after what it is. */
function toFactTexts(card: EventCard, lang: Lang, above: Above): readonly PhrasingContent[] {
  return listFacts(card, 'line').flatMap(({ name, value }): PhrasingContent[] => {
    const words = toFactLines(value, lang);
    if (name === 'confirm' || words.length === 0) return [];
    if (name === 'status') return [strong(words.join())];
    if (name === 'when') {
      const say = (next: OccurrenceRecord): string => toBriefWhen(next, above.year, lang);
      return [plain(toWhenWords(card, lang, above.day, [], say) ?? '')];
    }
    if (name === 'where') {
      const place = listPlaceWords(card, lang, above);
      return place.length === 0 ? [] : [plain(place.join(JOINT))];
    }
    if (name === 'price') return [plain(toPriceWords(card, lang))];
    if (name === 'category') return [plain(toKind(words.join(), card.event.tags))];
    return [plain(words.join(LINE_JOINT))];
  });
}

/** `Teatro (noche, mar)`. */
const toKind = (category: string, tags: readonly string[]): string =>
  tags.length === 0 ? category : `${category} (${tags.join(', ')})`;

/** `Gratis`, `$95 MXN (precio de marzo de 2026; confírmalo)`. */
function toPriceWords({ event: { price } }: EventCard, lang: Lang): string {
  const confirm = toPriceConfirm(price, lang);
  return `${toPriceText(price, lang)}${confirm === null ? '' : ` (${confirm})`}`;
}

/** Venue, where the title does not name it, zone and an editor's note, without the street. */
function listPlaceWords(
  { event, venue, zone }: EventCard,
  lang: Lang,
  above: Above,
): readonly string[] {
  const is_named = venue !== null && fold(event.title[lang]).includes(fold(venue.name));
  return [
    is_named ? undefined : venue?.name,
    above.zone ? undefined : zone?.name[lang],
    event.location_note?.[lang],
  ].filter((words) => words !== undefined);
}

/**
 * What to confirm, beyond what is said once of the whole list; an editor's words about a date that is
 * sure are named for what they are.
 */
function toConfirmWords(card: EventCard, lang: Lang): readonly string[] {
  const confirm = listFacts(card, 'line').find(({ name }) => name === 'confirm');
  if (confirm === undefined) return [];
  const sentences = toFactLines(confirm.value, lang);
  return card.event.certainty === 'confirmed'
    ? sentences.map((sentence) => `${t(lang, 'label.confirm')}: ${sentence}`)
    : sentences;
}

/** The item, with its line end. */
export function toEventLine(card: EventCard, lang: Lang, site: Site, above: Above): string {
  const { event } = card;
  const written = findOriginals(event, lang).summary;
  const url = toAbsolute(site.url, toThingPath('event', event.slug, lang));
  const parts = [link(url, event.title[lang]), ...toFactTexts(card, lang, above)];
  const kind =
    event.tags.length > 0 && card.category === null ? [plain(event.tags.join(', '))] : [];
  return toMarkdown([
    list([
      [
        ...[...parts, ...kind].flatMap((part, at) => (at === 0 ? [part] : [text(JOINT), part])),
        text('. '),
        ...(written === undefined ? [] : [plain(t(lang, `original.${written}`)), text(': ')]),
        plain(event.summary[lang]),
        ...toConfirmWords(card, lang).flatMap((sentence) => [text(' '), plain(sentence)]),
      ],
    ]),
  ]);
}
