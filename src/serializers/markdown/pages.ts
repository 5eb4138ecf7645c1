// The other pages as Markdown: calendar, changes, public data, the frame for other sites, how to publish.
import type { Temporal } from 'temporal-polyfill';
import type { EventCard } from '../../domain/agenda.ts';
import type { ChangeRecord } from '../../domain/history.ts';
import type { Lang } from '../../domain/lang.ts';
import { THEMES } from '../../domain/query/list-queries.ts';
import { LIMITS } from '../../domain/query/parameters.ts';
import type { Site } from '../../domain/site.ts';
import { SECTION_NAMES } from '../../domain/submission/fields.ts';
import { type Control, listSection } from '../../domain/submission/controls.ts';
import {
  REQUIRED_SUBMISSION_FIELDS,
  SUBMISSION_FIELDS,
} from '../../domain/submission/submission.ts';
import type { Taxonomy, TaxonRecord } from '../../domain/taxon.ts';
import { toListDoubt } from '../../i18n/fact-words.ts';
import { toChangedDetail, toChangedName, toChangedPath } from '../../i18n/change-words.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { toChoiceLabel, toHint, toLabel } from '../../i18n/form-words.ts';
import { toGoogleUrl, toOutlookUrl, toWebcalUrl } from '../../i18n/links.ts';
import {
  API_PATHS,
  FEED_FORMATS,
  FEED_KINDS,
  MCP_PATH,
  PAGE_PATHS,
  toAbsolute,
  toDirectoryPath,
  toMarkdownPath,
  toNewsFeedPath,
  withQuery,
} from '../../i18n/paths.ts';
import { t, tCount, type ToolName } from '../../i18n/translate.ts';
import { type Head, renderDocument } from './document.ts';
import { renderEntry } from './event.ts';
import {
  type Block,
  code,
  heading,
  inlineCode,
  joined,
  link,
  list,
  paragraph,
  section,
  strong,
  table,
  type Words,
} from './nodes.ts';

interface ChosenFeed {
  readonly meta: Head;
  readonly feed: ShownFeed | null;
}
interface ShownFeed {
  readonly name: string;
  readonly url: string;
  readonly count: number;
  readonly is_cut: boolean;
  readonly upcoming: readonly EventCard[];
}

export function renderCalendar({ meta, feed }: ChosenFeed): string {
  const { lang, site } = meta;
  const feeds = FEED_KINDS.map((kind) => [
    `${t(lang, `feed.${kind}.name`)}: `,
    joined(
      FEED_FORMATS.map((format) => link(toAbsolute(site.url, toNewsFeedPath(kind, format, lang)))),
    ),
  ]);
  return renderDocument(
    meta,
    t(lang, 'calendar.lead'),
    paragraph(
      `${t(lang, 'md.choose')} `,
      inlineCode('?category=…&zone=…&free=1&family=1&indoor=1&lang=…'),
    ),
    feed && renderFeed(feed, meta),
    section(t(lang, 'feed.title'), t(lang, 'feed.about'), list(feeds)),
  );
}

function renderFeed(
  { name, url, count, is_cut, upcoming }: ShownFeed,
  { lang, site }: Head,
): Block {
  const tally = is_cut ? t(lang, 'calendar.cut', { count }) : tCount(lang, 'calendar.count', count);
  return section(
    name,
    count === 0 ? t(lang, 'calendar.none') : tally,
    list([
      [`${t(lang, 'subscribe.address')}: `, link(url)],
      link(toWebcalUrl(url), t(lang, 'subscribe.webcal')),
      link(toGoogleUrl(url), t(lang, 'subscribe.google')),
      link(toOutlookUrl(url, name), t(lang, 'subscribe.outlook')),
    ]),
    t(lang, 'subscribe.delay'),
    upcoming.length === 0 ? null : t(lang, 'calendar.next'),
    toListDoubt(upcoming, lang),
    upcoming.map((card) => renderEntry(card, lang, site)),
  );
}

interface ToldChanges {
  readonly meta: Head;
  readonly since: Temporal.PlainDate;
  readonly days: readonly {
    readonly day: Temporal.PlainDate;
    readonly changes: readonly ChangeRecord[];
  }[];
  readonly total: number;
  readonly shown: number;
}

export function renderChanges({ meta, since, days, total, shown }: ToldChanges): string {
  const { lang, site } = meta;
  const day = toLongDay(since, lang);
  const changes = tCount(lang, 'changes.count', total);
  const api = withQuery(API_PATHS.listChanges, { since: since.toString(), lang });
  return renderDocument(
    { ...meta, about: t(lang, 'changes.about', { changes, day }), terms: 'md.terms' },
    total === 0 ? t(lang, 'changes.none', { day }) : null,
    days.map((of) =>
      section(
        toLongDay(of.day, lang),
        list(of.changes.map((change) => toChangeItem(change, lang, site))),
      ),
    ),
    total > shown
      ? paragraph(
          `${tCount(lang, 'changes.more', total - shown)} `,
          link(toAbsolute(site.url, api)),
        )
      : null,
  );
}

export function toChangeItem(change: ChangeRecord, lang: Lang, site: Site): Words {
  const detail = toChangedDetail(change, lang);
  const name = toChangedName(change, lang);
  return [
    strong(t(lang, `changes.word.${change.change}`)),
    ': ',
    change.thing ? link(toAbsolute(site.url, toChangedPath(change.thing, lang)), name) : name,
    detail && ` · ${detail}`,
  ];
}

export interface PublicFiles {
  readonly meta: Head;
  readonly files: readonly {
    readonly name: string;
    readonly path: string;
    readonly about: string;
    readonly size: string;
    readonly sha256: string;
  }[];
  readonly checksums: { readonly name: string; readonly path: string };
  /** Sentences: how it is made, what to mind. */
  readonly notes: readonly string[];
  readonly terms: readonly string[];
  readonly commands: string;
  readonly tables: readonly {
    readonly name: string;
    readonly title: string;
    readonly rows: string;
    readonly columns: readonly {
      /** The same in each language where it has several. */
      readonly names: readonly string[];
      readonly type: string;
      readonly about: string;
    }[];
  }[];
}

export function renderData(data: PublicFiles): string {
  const { meta, files, checksums, notes, terms, commands, tables } = data;
  const { lang, site } = meta;
  const linkTo = ({ path, name }: PublicFiles['checksums']) =>
    link(toAbsolute(site.url, path), name);
  const heads = (['file', 'about', 'size', 'sha256'] as const).map((head) =>
    t(lang, `data.head.${head}`),
  );
  const rows = files.map((file) => [linkTo(file), file.about, file.size, inlineCode(file.sha256)]);
  return renderDocument(
    { ...meta, about: t(lang, 'data.description'), terms: 'openapi.license' },
    section(
      t(lang, 'data.files'),
      table([heads, ...rows]),
      paragraph(`${t(lang, 'data.checksums')}: `, linkTo(checksums)),
      notes,
    ),
    section(t(lang, 'data.how'), code('sh', commands)),
    section(t(lang, 'terms'), list(terms)),
    tables.map((each) =>
      section(
        each.title,
        paragraph(inlineCode(each.name), `: ${each.rows}`),
        list(
          each.columns.map(({ names, type, about }) => [
            joined(names.map(inlineCode), ', '),
            ` (${type}): ${about}`,
          ]),
        ),
      ),
    ),
  );
}

interface ChosenFrame {
  readonly meta: Head;
  readonly frame: { readonly title: string; readonly snippet: string } | null;
}

export function renderEmbed({ meta, frame }: ChosenFrame): string {
  const { lang } = meta;
  const choice = `?date=week&category=…&zone=…&free=1&family=1&indoor=1&limit=1–${LIMITS.frame.max}&theme=${THEMES.join('|')}&lang=…`;
  return renderDocument(
    { ...meta, about: t(lang, 'embed.description') },
    t(lang, 'embed.lead'),
    paragraph(`${t(lang, 'md.choose')} `, inlineCode(choice)),
    frame && section(frame.title, code('html', frame.snippet), t(lang, 'embed.how')),
  );
}

const POINTS = ['batch.what.files', 'batch.what.dates', 'batch.what.again'] as const;

/** Where a calendar is brought in: what is taken, what is understood of it, what comes after. */
export function renderImport(lang: Lang, site: Site): string {
  const submit = toAbsolute(site.url, toMarkdownPath(PAGE_PATHS.submit[lang]));
  return renderDocument(
    {
      lang,
      site,
      paths: PAGE_PATHS.import,
      title: t(lang, 'batch.title'),
      about: t(lang, 'batch.text'),
    },
    t(lang, 'batch.url.hint'),
    section(t(lang, 'batch.what'), list(POINTS.map((key) => t(lang, key)))),
    t(lang, 'batch.after'),
    paragraph(link(submit, t(lang, 'submit.title')), '.'),
  );
}

const TOOL: ToolName = 'enviar_evento';
/** What the example of the tool sends beside what must be there. */
const EXAMPLE_FIELDS: readonly string[] = ['venue', 'free'];

/** The body of a request to the MCP server that sends the examples of the fields. */
function toExample(): string {
  const args = Object.fromEntries(
    SUBMISSION_FIELDS.filter(
      ({ name }) => REQUIRED_SUBMISSION_FIELDS.includes(name) || EXAMPLE_FIELDS.includes(name),
    ).map(({ name, example }) => [name, example]),
  );
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  return JSON.stringify({ ...call, params: { name: TOOL, arguments: args } }, null, 2);
}

/** What may stand in a control, in words; keys as `code`. */
function toRule(control: Control, taxonomy: Taxonomy, lang: Lang): Words {
  const { name, kind, is_required, choices } = control;
  const max = kind === 'select' ? undefined : control.max;
  const taxa: Readonly<Record<string, readonly TaxonRecord[]>> = {
    category: taxonomy.categories,
    zone: taxonomy.zones,
  };
  const codes = (choices ?? [])
    .filter((choice) => choice !== '')
    .map((choice) => [choice, toChoiceLabel(name, choice, lang)] as const);
  const offered = taxa[name]?.map((taxon) => [taxon.key, taxon.name[lang]] as const) ?? codes;
  const facts = [
    ...(is_required ? [t(lang, 'submit.needed')] : []),
    ...(max === undefined ? [] : [t(lang, 'md.submit.max', { limit: max })]),
  ];
  const rules = [
    offered.length === 0
      ? null
      : joined(
          offered.map(([key, words]) => [inlineCode(key), ` ${words}`]),
          ', ',
        ),
    toHint(control, lang),
  ].filter((rule) => rule !== null);
  return [
    strong(toLabel(name, lang)),
    ' (',
    inlineCode(name),
    `${facts.map((fact) => `; ${fact}`).join('')})${rules.length > 0 ? ': ' : ''}`,
    joined(rules, '. '),
  ];
}

/** The ways to send an event, and what the form asks for, field by field with its limits. */
export function renderSubmit(taxonomy: Taxonomy, lang: Lang, site: Site): string {
  const mcp = inlineCode(`POST ${toAbsolute(site.url, MCP_PATH)}`);
  const venues = toAbsolute(site.url, toMarkdownPath(toDirectoryPath('venue', lang)));
  const ways = [
    [`${t(lang, 'md.submit.form')} `, link(toAbsolute(site.url, PAGE_PATHS.submit[lang]))],
    [`${t(lang, 'batch.link_text')} `, link(toAbsolute(site.url, PAGE_PATHS.import[lang]))],
    [
      `${t(lang, 'md.submit.tool')} `,
      [inlineCode(TOOL), ' (MCP, ', mcp, `). ${t(lang, 'md.submit.tool_fields')}`],
    ],
  ];
  return renderDocument(
    {
      lang,
      site,
      paths: PAGE_PATHS.submit,
      title: t(lang, 'submit.title'),
      about: t(lang, 'submit.text'),
    },
    section(
      t(lang, 'md.submit.ways'),
      list(ways),
      code('json', toExample()),
      t(lang, 'submit.after'),
    ),
    section(
      t(lang, 'md.submit.fields'),
      t(lang, 'submit.needed_text'),
      SECTION_NAMES.map((name) => [
        heading(3, t(lang, `submit.section.${name}`)),
        list(
          listSection(name)
            .filter(({ kind }) => kind !== 'hidden')
            .map((control) => toRule(control, taxonomy, lang)),
        ),
      ]),
      paragraph(`${t(lang, 'md.submit.venues')} `, link(venues)),
    ),
  );
}
