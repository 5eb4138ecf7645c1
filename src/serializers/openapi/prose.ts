// What the description says in words: terms, time, the complete lists of categories and zones, limits, versions (interface 1, 8, 9).
import { LIMITS } from '../../domain/event-query.ts';
import { FROM_ALONE_DAYS, MAX_RANGE_DAYS } from '../../domain/range.ts';
import type { Site } from '../../domain/site.ts';
import type { TaxonRecord, Taxonomy } from '../../domain/taxon.ts';

function toTable(taxa: readonly TaxonRecord[]): string {
  const rows = taxa.map(({ key, slug, name }) => `| \`${key}\` | \`${slug.es}\` | \`${slug.en}\` | ${name.es} | ${name.en} |`);
  return ['| Key | Slug (es) | Slug (en) | Name (es) | Name (en) |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** CommonMark, a few paragraphs and two tables. */
export function toProse(taxonomy: Taxonomy, site: Site): string {
  const contact = site.contact_email === null ? 'the address on the site' : `<${site.contact_email}>`;
  return [
    `Read-only public agenda of Cancún, Isla Mujeres and Puerto Morelos: events, venues, organizers and daily notices. Reading needs no key and no registration.`,
    '## Terms',
    [
      `1. Name ${site.name} and link the canonical \`url\` of each event.`,
      '2. Do not keep events more than a few hours: `status` may change to cancelled.',
      '3. If you convert times, state the timezone.',
      '4. Training models on the content is declined (ai-train=no); reading and citing is allowed (ai-input=yes).',
    ].join('\n'),
    '## Time',
    'All dates and times are in America/Cancun (UTC−5, no daylight saving). Timestamps carry their offset.',
    '## Categories',
    'The filter takes the key or a slug, in either language, without regard to case or accents; several with commas mean any of them.',
    toTable(taxonomy.categories),
    '## Zones',
    toTable(taxonomy.zones),
    '## Limits',
    `60 requests a minute for each address without a key, 600 with one, over the whole API. A range has at most ${MAX_RANGE_DAYS} days; \`from\` alone means ${FROM_ALONE_DAYS} days. A list has at most ${LIMITS.list.max} events, a calendar at most ${LIMITS.feed.max} occurrences.`,
    `A key raises the quota and gives nothing else. Ask for one by e-mail at ${contact}.`,
    '## Parameters',
    'An empty value is the same as none. A parameter given twice is an error, and so is an unknown one that comes near a known one (`categoria`, `Date`); any other unknown one is ignored. One message names every fault.',
    '## Versions',
    'The version stands in the path. Within v1, fields and operations may be added and nothing is taken away or changes its meaning: read what you know and ignore the rest. Before anything is retired, its answers carry `Deprecation` and `Sunset` for at least twelve months.',
  ].join('\n\n');
}
