// An event of a list as one item of Markdown: its title as a link, what is to be known in a line,
// what it is, what to confirm.
import type { PhrasingContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import { listFacts } from '../../domain/event/facts.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { LINE_JOINT, toFactLines } from '../../i18n/fact-lines.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { toPriceConfirm, toPriceText } from '../../i18n/price.ts';
import { t } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { toWhenWords } from '../../serializers/markdown/event-entry.ts';
import { link, list, plain, strong, text } from '../../serializers/markdown/nodes.ts';

const JOINT = ' · ';

/** The facts that stand in the line; what to confirm comes after what it is. */
function toFactTexts(card: EventCard, lang: Lang, under_day: boolean): readonly PhrasingContent[] {
  return listFacts(card, 'line').flatMap(({ name, value }): PhrasingContent[] => {
    const words = toFactLines(value, lang);
    if (name === 'confirm' || words.length === 0) return [];
    if (name === 'status') return [strong(words.join())];
    if (name === 'when') return [plain(toWhenWords(card, lang, under_day) ?? '')];
    if (name === 'where') return [plain(listPlaceWords(card, lang).join(JOINT))];
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

/** Venue, zone and an editor's note, without the street. */
const listPlaceWords = ({ event, venue, zone }: EventCard, lang: Lang): readonly string[] =>
  [venue?.name, zone?.name[lang], event.location_note?.[lang]].filter(
    (words) => words !== undefined,
  );

/** The item, with its line end. `under_day`: the day stands above. */
export function toEventLine(card: EventCard, lang: Lang, site: Site, under_day: boolean): string {
  const { event } = card;
  const confirm = listFacts(card, 'line').find(({ name }) => name === 'confirm');
  const sentences = confirm === undefined ? [] : toFactLines(confirm.value, lang);
  const url = toAbsolute(site.url, toThingPath('event', event.slug, lang));
  const parts = [link(url, event.title[lang]), ...toFactTexts(card, lang, under_day)];
  const kind =
    event.tags.length > 0 && card.category === null ? [plain(event.tags.join(', '))] : [];
  return toMarkdown([
    list([
      [
        ...[...parts, ...kind].flatMap((part, at) => (at === 0 ? [part] : [text(JOINT), part])),
        text('. '),
        plain(event.summary[lang]),
        ...sentences.flatMap((sentence) => [
          text(' '),
          plain(`${t(lang, 'label.confirm')}: ${sentence}`),
        ]),
      ],
    ]),
  ]);
}
