// The notices beside an answer: only those that touch what was asked, in both of its halves
// (contract 13.9, 13.10).
import { countDays, type DayRange, fromDayNumber, toCancunDay } from '../../domain/cancun-time.ts';
import type { EventDetail } from '../../domain/agenda.ts';
import type { EventFilter } from '../../domain/query/event-query.ts';
import type { Lang } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { type NoticeSplit, splitNotices } from '../../domain/notices-of-day.ts';
import { toSourceDays } from '../../i18n/confirm.ts';
import { toForce, toInferredSentence, toSeasonLine } from '../../i18n/notice-words.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toTaxon } from '../../domain/taxon.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { link, list, paragraph, plain, strong, text } from '../../serializers/markdown/nodes.ts';
import { findNotices } from '../../snapshot/agenda.ts';
import { toLeanNotice } from '../lean/notice.ts';
import type { McpContext } from '../context.ts';
import { cutTexts, fewer } from '../cut.ts';
import { cacheEntry } from './cache.ts';

/** A longer range is not about certain days: then only today's notices are given. */
const MAX_DAYS = 7;
/** Most notices beside events, the gravest first; avisos_hoy has the others. */
const MAX_BESIDE = 5;

/** In full, and what is in season by name. */
export interface ToldNotices extends NoticeSplit {
  /** How many more there are to be told in full. */
  readonly more: number;
}

const NONE: ToldNotices = { now: [], in_season: [], more: 0 };

function tell({ now, in_season }: NoticeSplit, context: McpContext): ToldNotices {
  const told = fewer(now, context).slice(0, MAX_BESIDE);
  return {
    now: told.map((notice) => cutTexts(notice, context)),
    in_season: fewer(in_season, context),
    more: now.length - told.length,
  };
}

/** Those that touch a range of days, of the whole area or of these zones (null is all). */
function findOfRange(
  { from, to }: DayRange,
  zones: readonly string[] | null,
  { snapshot }: McpContext,
): NoticeSplit {
  const told = findNotices(snapshot, from, to).filter(
    ({ zone }) => zones === null || zone === null || zones.includes(zone),
  );
  return splitNotices(told, { from, to });
}

const isGrave = ({ severity }: NoticeRecord): boolean => severity !== 'info';

/**
 * What concerns a list: the warnings and alerts of its days and zones; today's other ones too where
 * the day itself `is_asked` for. Nothing where it goes on.
 */
export function findBesideList(
  filter: EventFilter,
  is_asked: boolean,
  context: McpContext,
): ToldNotices {
  const { range, zones, now_ms, after } = filter;
  if (after !== null) return NONE;
  const today = toCancunDay(now_ms);
  const is_about_days = range !== null && countDays(range) <= MAX_DAYS;
  const days: DayRange = is_about_days ? range : { from: today, to: today };
  const split = findOfRange(days, zones, context);
  return tell(is_asked ? split : { now: split.now.filter(isGrave), in_season: [] }, context);
}

/** What concerns the day an event is next on, where it is; seasons are no news to it. */
export function findBesideEvent({ next, zone }: EventDetail, context: McpContext): ToldNotices {
  if (next === null) return NONE;
  const day = fromDayNumber(next.first_day);
  const { now } = findOfRange({ from: day, to: day }, zone && [zone.key], context);
  return tell({ now: now.filter(({ season }) => !season), in_season: [] }, context);
}

/** The fields of the structured half; none where there is nothing to say. */
export function toNoticeFields({ now, in_season, more }: ToldNotices, lang: Lang) {
  return {
    ...(now.length > 0 && {
      notices: now.map((notice) => toLeanNotice(notice, lang)),
    }),
    ...(more > 0 && { more_notices: more }),
    ...(in_season.length > 0 && {
      in_season: in_season.map(({ short, title }) => (short ?? title)[lang]),
    }),
  };
}

/** A level 2 section of the text; nothing where there is nothing to say. */
export function toNoticesSection(
  { now, in_season, more }: ToldNotices,
  lang: Lang,
  context: McpContext,
): string {
  const season = toSeasonLine(in_season, lang);
  if (now.length === 0 && season === null) return '';
  return [
    `## ${t(lang, 'label.notices')}\n\n`,
    ...now.map((notice) => toNoticeItem(notice, lang, context)),
    ...(more > 0 ? [`\n${tCount(lang, 'mcp.notices.more', more)}\n`] : []),
    ...(season === null ? [] : [`\n${toMarkdown([paragraph(plain(season))])}`]),
  ].join('');
}

/** A notice as one item: severity, type, title, what it says, where, how long, who says it. */
export function toNoticeItem(
  notice: NoticeRecord,
  lang: Lang,
  { snapshot, characters }: Pick<McpContext, 'snapshot' | 'characters'>,
): string {
  return cacheEntry(snapshot, `notice ${lang} ${characters} ${notice.id}`, () => {
    const kind = `${t(lang, `notice.severity.${notice.severity}`)} (${t(lang, `notice.type.${notice.type}`)})`;
    const zone = toTaxon(snapshot.taxonomy.zones, notice.zone, lang);
    const inferred = toInferredSentence(notice, lang);
    const source = notice.source ?? notice.source_url;
    const words = [notice.body[lang], inferred].filter((each) => each !== null).join(' ');
    const when = [zone?.name, toForce(notice, lang)].filter((each) => each !== undefined);
    return toMarkdown([
      list([
        [
          strong(`${kind}: ${notice.title[lang]}.`),
          text(' '),
          plain(words),
          text(' '),
          plain(when.join(' · ')),
          ...(source === null
            ? []
            : [text(' · '), notice.source_url ? link(notice.source_url, source) : plain(source)]),
          text(' · '),
          plain(toSourceDays(notice, lang)),
        ],
      ]),
    ]);
  });
}
