// The chapters of the description (terms, time, categories and zones, limits, keys, versions), as
// data and as the CommonMark that OpenAPI wants (contract 1, 10, 15).
import { type GuideSection, type PathExamples, toSection } from '../../domain/api-guide.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { TaxonRecord, Taxonomy } from '../../domain/taxon.ts';
import { API_PATHS } from '../../i18n/api-paths.ts';
import { LIMIT_NUMBERS } from '../../i18n/parameter-words.ts';
import { toAbsolute, toPagePath, toMarkdownPath, MCP_PATH } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { toEmbedSection, toFeedsSection } from './feed-sections.ts';

type SectionName =
  | 'answers'
  | 'terms'
  | 'time'
  | 'categories'
  | 'zones'
  | 'limits'
  | 'keys'
  | 'parameters'
  | 'http'
  | 'mcp'
  | 'feeds'
  | 'embed'
  | 'bulk'
  | 'versions';

export function toSections(
  taxonomy: Taxonomy,
  site: Site,
  examples: PathExamples,
  lang: Lang,
): readonly GuideSection[] {
  const url = toAbsolute(site.url, API_PATHS.listEvents);
  const say = (key: Key): string => t(lang, key, { ...LIMIT_NUMBERS, site: site.name, url });
  const section = (
    id: SectionName,
    paragraphs: readonly string[],
    more: Partial<GuideSection> = {},
  ): GuideSection => toSection(id, say(`guide.${id}`), paragraphs, more);
  const ask =
    site.contact_email === null
      ? t(lang, 'guide.keys.closed')
      : t(lang, 'guide.keys.ask', { email: site.contact_email });
  const alternate = toAbsolute(site.url, toMarkdownPath(toPagePath('today', lang)));
  const found = toAbsolute(site.url, toMarkdownPath(toPagePath('search', lang)));
  return [
    section('answers', [
      say('guide.answers.form'),
      say('guide.answers.null'),
      say('guide.answers.sure'),
      say('guide.answers.states'),
    ]),
    section('parameters', [say('guide.parameters.empty'), say('guide.parameters.issues')]),
    section('categories', [say('guide.taxa')], { taxa: taxonomy.categories }),
    section('zones', [say('guide.taxa')], { taxa: taxonomy.zones }),
    section('time', [say('guide.time.zone'), say('guide.time.day')]),
    section(
      'limits',
      (['rate', 'range', 'size', 'text'] as const).map((limit) => say(`guide.limits.${limit}`)),
    ),
    section('keys', [say('guide.keys.what'), ask, say('guide.keys.use')]),
    section('terms', [], {
      items: (['attribution', 'cache', 'zone', 'training'] as const).map((term) =>
        say(`guide.terms.${term}`),
      ),
    }),
    section('http', [say('guide.http.etag'), say('guide.http.cors')]),
    section('mcp', [
      t(lang, 'guide.mcp.server', { url: toAbsolute(site.url, MCP_PATH) }),
      t(lang, 'guide.mcp.markdown', { url: alternate, search: found }),
      t(lang, 'guide.mcp.agents', { url: toAbsolute(site.url, toPagePath('docs_agents', lang)) }),
    ]),
    section('feeds', [], toFeedsSection(site, examples, lang)),
    section('embed', [], toEmbedSection(site, lang)),
    section('bulk', [
      t(lang, 'guide.bulk.files', { url: toAbsolute(site.url, toPagePath('data', lang)) }),
    ]),
    section('versions', [
      say('guide.versions.path'),
      say('guide.versions.retire'),
      t(lang, 'guide.versions.changes', {
        url: toAbsolute(site.url, toPagePath('docs_changelog', lang)),
      }),
    ]),
  ];
}

export const toTaxonHeads = (lang: Lang): readonly string[] => [
  t(lang, 'guide.table.key'),
  ...LANGS.map((of) => t(lang, `guide.table.slug.${of}`)),
  ...LANGS.map((of) => t(lang, `guide.table.name.${of}`)),
];

function toTable(taxa: readonly TaxonRecord[], lang: Lang): string {
  const heads = toTaxonHeads(lang);
  const rows = taxa.map(({ key, slug, name }) => [
    `\`${key}\``,
    ...LANGS.map((of) => `\`${slug[of]}\``),
    ...LANGS.map((of) => name[of]),
  ]);
  const toRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [toRow(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(toRow)].join('\n');
}

function toParts(section: GuideSection, lang: Lang): readonly string[] {
  const { title, paragraphs, items, points, rows, copies, blocks, taxa } = section;
  const list = items.map((item, at) => `${at + 1}. ${item}`).join('\n');
  const listed = points.map((point) => `- ${point}`).join('\n');
  const told = rows.map(({ label, text }) => `- ${label}: ${text}`).join('\n');
  const copied = copies.map(({ label, text }) => `- ${label}: \`${text}\``).join('\n');
  const shown = blocks.map(
    ({ label, language, text }) => `${label}:\n\n\`\`\`${language}\n${text}\n\`\`\``,
  );
  return [
    `## ${title}`,
    ...paragraphs,
    list,
    listed,
    told,
    copied,
    ...shown,
    taxa === null ? '' : toTable(taxa, lang),
  ].filter((part) => part !== '');
}

export const toProse = (
  taxonomy: Taxonomy,
  site: Site,
  examples: PathExamples,
  lang: Lang,
): string =>
  [
    t(lang, 'openapi.about'),
    ...toSections(taxonomy, site, examples, lang).flatMap((section) => toParts(section, lang)),
  ].join('\n\n');
