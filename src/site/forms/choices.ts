// What the form offers to choose from: categories, zones, and the venues of the agenda by zone.
import type { Choice, FormState } from '../../components/submit/form-sections.ts';
import type { Lang } from '../../domain/lang.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';
import { t } from '../../i18n/translate.ts';
import { listVenues } from '../../snapshot/list-pages.ts';
import type { Snapshot } from '../../snapshot/open.ts';

export function listChoices(snapshot: Snapshot, lang: Lang): FormState['choices'] {
  const { taxonomy } = snapshot;
  const toChoices = (taxa: readonly TaxonRecord[]): Choice[] =>
    taxa.map((taxon) => ({ value: taxon.key, label: taxon.name[lang], group: null }));
  const toZone = (key: string | null): string =>
    taxonomy.zones.find((zone) => zone.key === key)?.name[lang] ??
    t(lang, 'submit.choice.venue.elsewhere');
  const venues = listVenues(snapshot).map((venue) => ({
    value: venue.id,
    label: venue.name,
    group: toZone(venue.zone),
  }));
  const order = [...taxonomy.zones.map((zone) => zone.name[lang]), toZone(null)];
  return {
    category: toChoices(taxonomy.categories),
    zone: toChoices(taxonomy.zones),
    venue: venues.sort(
      (a, b) =>
        order.indexOf(a.group) - order.indexOf(b.group) || a.label.localeCompare(b.label, lang),
    ),
  };
}
