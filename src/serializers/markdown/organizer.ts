// An organizer as Markdown: what its page says, and what is upcoming of theirs.
import type { PhrasingContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import type { OrganizerRecord } from '../../domain/organizer.ts';
import type { Site } from '../../domain/site.ts';
import { toSourceDays } from '../../i18n/confirm.ts';
import { toThingPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toCorrectLine } from './correct-line.ts';
import { toDocument } from './document.ts';
import { toUpcomingSection } from './event-entry.ts';
import { labelled, link, list, paragraphs, plain } from './nodes.ts';

function toFacts(organizer: OrganizerRecord, lang: Lang): PhrasingContent[][] {
  const type = t(lang, `organizer.type.${organizer.type}`);
  const facts: (PhrasingContent[] | null)[] = [
    labelled(
      t(lang, 'label.type'),
      plain(organizer.verified ? `${type} (${t(lang, 'label.verified')})` : type),
    ),
    organizer.website === null
      ? null
      : labelled(t(lang, 'label.website'), link(organizer.website, organizer.website)),
    ...organizer.social.map((url) => labelled(t(lang, 'label.social'), link(url, url))),
    labelled(t(lang, 'label.checked'), plain(toSourceDays(organizer, lang))),
  ];
  return facts.filter((fact) => fact !== null);
}

export function toOrganizerMarkdown(
  organizer: OrganizerRecord,
  cards: readonly EventCard[],
  lang: Lang,
  site: Site,
): string {
  return toDocument(
    {
      title: organizer.name,
      about: t(lang, 'md.about_thing', { zone: t(lang, 'time.zone') }),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: byLang((each) => toThingPath('organizer', organizer.slug, each)),
    },
    [
      ...(organizer.description ? paragraphs(organizer.description[lang]) : []),
      list(toFacts(organizer, lang)),
      ...toUpcomingSection(cards, lang, site),
      toCorrectLine('organizer', organizer.id, lang, site),
    ],
    lang,
    site,
  );
}
