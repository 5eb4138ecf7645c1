// A venue as Markdown: what its page says, and what is upcoming there.
import type { PhrasingContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import { toAddressLine } from '../../domain/place-line.ts';
import type { Site } from '../../domain/site.ts';
import { type Taxonomy, toTaxon } from '../../domain/taxon.ts';
import type { VenueDay } from '../../domain/venue-day.ts';
import type { VenueRecord } from '../../domain/venue.ts';
import { toSourceDays } from '../../i18n/confirm.ts';
import { toDirectionsUrl } from '../../i18n/links.ts';
import { toThingPath } from '../../i18n/paths.ts';
import { toPricedLines, toTodayWords, toWeekLines } from '../../i18n/opening.ts';
import { t } from '../../i18n/translate.ts';
import { toCorrectLine } from './correct-line.ts';
import { toDocument } from './document.ts';
import { toUpcomingSection } from './event-entry.ts';
import { labelled, link, list, paragraphs, plain, text } from './nodes.ts';

/** Each line of its hours, and of what entering costs, as an item. */
function toOpeningFacts(venue: VenueRecord, today: VenueDay | null, lang: Lang) {
  const hours =
    venue.hours === null || today === null
      ? []
      : [toTodayWords(today, lang), ...toWeekLines(venue.hours, today, lang)];
  return [
    ...hours.map((line) => labelled(t(lang, 'label.hours'), plain(line))),
    ...toPricedLines(venue, lang).map((line) => labelled(t(lang, 'label.admission'), plain(line))),
  ];
}

function toFacts(
  venue: VenueRecord,
  today: VenueDay | null,
  taxonomy: Taxonomy,
  lang: Lang,
): PhrasingContent[][] {
  const zone = toTaxon(taxonomy.zones, venue.zone, lang);
  const directions = toDirectionsUrl(venue);
  const facts: (PhrasingContent[] | null)[] = [
    ...toOpeningFacts(venue, today, lang),
    labelled(
      t(lang, 'label.address'),
      plain(toAddressLine(venue)),
      ...(directions === null ? [] : [text(' · '), link(directions, t(lang, 'label.directions'))]),
    ),
    zone && labelled(t(lang, 'places.zone'), plain(zone.name)),
    venue.website === null
      ? null
      : labelled(t(lang, 'label.website'), link(venue.website, venue.website)),
    venue.phone === null ? null : labelled(t(lang, 'label.phone'), plain(venue.phone)),
    ...venue.social.map((url) => labelled(t(lang, 'label.social'), link(url, url))),
    venue.capacity === null
      ? null
      : labelled(t(lang, 'label.capacity'), plain(String(venue.capacity))),
    venue.accessibility &&
      labelled(t(lang, 'label.accessibility'), plain(venue.accessibility[lang])),
    labelled(t(lang, 'label.checked'), plain(toSourceDays(venue, lang))),
  ];
  return facts.filter((fact) => fact !== null);
}

export function toVenueMarkdown(
  venue: VenueRecord,
  today: VenueDay | null,
  cards: readonly EventCard[],
  taxonomy: Taxonomy,
  lang: Lang,
  site: Site,
): string {
  return toDocument(
    {
      title: venue.name,
      about: t(lang, 'md.about_thing', { zone: t(lang, 'time.zone') }),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: byLang((each) => toThingPath('venue', venue.slug, each)),
    },
    [
      ...(venue.description ? paragraphs(venue.description[lang]) : []),
      list(toFacts(venue, today, taxonomy, lang)),
      ...toUpcomingSection(cards, lang, site),
      toCorrectLine('venue', venue.id, lang, site),
    ],
    lang,
    site,
  );
}
