// JSON-LD events: parses the schema.org events of a page as imported events (contract 14.36). An
// invalid event or script does not affect the others; a page that ends within a tag, a comment or a
// JSON-LD script is incomplete.
import { Parser } from 'htmlparser2';
import { Temporal } from 'temporal-polyfill';
import { toZoned, TIME_ZONE } from '../../domain/local-time.ts';
import {
  IMPORT_LIMITS,
  type ImportedEvent,
  type ImportFailure,
  type ImportedCalendar,
} from '../../domain/imported-events.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission/field-rules.ts';
import { listJoinLinks } from '../../domain/submission/links.ts';
import { decodeMarkup, isGarbled } from './decode-text.ts';
import {
  type IcsTime,
  parseDurationSeconds,
  parseTimeZones,
  formatLocalMinute,
  parseIcsTime,
  formatIcsTime,
  wallTimeIn,
} from './ics-time.ts';
import { listUnknownSchemaOrgProperties, parseEventState } from './known-properties.ts';
import { parseLenientJson } from './lenient-json.ts';
import { asArray, isSchemaOrgNode, type SchemaOrgNode } from './schema-org-node.ts';
import {
  type ParseResult,
  buildDate,
  findWholeDays,
  isCalledOff,
  listImportWarnings,
  excerptForDisplay,
  normalizeUid,
} from './parse-ics.ts';
import { parseSafely } from './parse-safely.ts';
import { cleanExternalLine, cleanExternalText, parseExternalUrl } from './clean-external-text.ts';

/** Deeper nodes of a graph are ignored. */
const MAX_DEPTH = 6;

/** Returns the first text of a property: `name`, `{"@value": name}` or a list of these. */
function textOf(node: SchemaOrgNode, name: string): string {
  const [first] = asArray(node[name]);
  const value = isSchemaOrgNode(first) ? (first['@value'] ?? first.name ?? first['@id']) : first;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function parseJsonLd(
  bytes: Uint8Array,
  now_ms: number,
  zone: string = TIME_ZONE,
): ParseResult {
  if (bytes.length > IMPORT_LIMITS.bytes) return { problem: 'too_large' };
  const page = decodeMarkup(bytes);
  if (page.trim() === '') return { problem: 'empty' };
  const { scripts, title, is_whole } = listScripts(page);
  const graphs = scripts.map((text) => ({ text, parsed: parseLenientJson(text) }));
  const nodes = graphs.flatMap(({ parsed }) => listEvents(parsed?.value, 0));
  const broken = graphs.flatMap(({ text, parsed }, index) =>
    parsed === null ? [createBrokenScriptFailure(text, index + 1)] : [],
  );
  // An incomplete page may lack events.
  if (!is_whole) return { problem: scripts.length > 0 ? 'cut_off' : 'is_page' };
  if (nodes.length + broken.length === 0)
    return { problem: scripts.length > 0 ? 'no_events' : 'is_page' };
  const reading = parseSchemaOrgEvents(nodes, title, now_ms, zone);
  return { reading: { ...reading, failures: [...broken, ...reading.failures] } };
}

/** Creates the failure of a script that is not JSON, under the first name that it mentions. */
function createBrokenScriptFailure(script: string, line: number): ImportFailure {
  const [, name = ''] = /"name"\s{0,9}:\s{0,9}"([^"]{1,200})"/.exec(script) ?? [];
  const title = cleanExternalLine(name, SUBMISSION_LIMITS.title).text;
  return { rule: 'script_broken', line, title, text: excerptForDisplay(script) };
}

/** Parses schema.org events; `line` of each is its position in the list, from 1. */
export function parseSchemaOrgEvents(
  nodes: readonly SchemaOrgNode[],
  title: string,
  now_ms: number,
  zone: string,
): ImportedCalendar {
  const events = new Map<string, ImportedEvent>();
  const failures: ImportFailure[] = [];
  const now = formatLocalMinute(toZoned(now_ms).toPlainDateTime());
  let past_count = 0;
  for (const [index, node] of nodes.slice(0, IMPORT_LIMITS.looked_at).entries()) {
    const line = index + 1;
    const event = parseSafely(
      () => parseEvent(node, line, zone),
      () => createBrokenFailure(node, line),
    );
    if ('rule' in event) failures.push(event);
    else if (isOver(event, now)) past_count += 1;
    else if (events.size < IMPORT_LIMITS.events) events.set(event.uid, event);
    else failures.push({ rule: 'too_many', line, title: event.title, text: event.start });
  }
  const sorted = [...events.values()].sort((a, b) => (a.start < b.start ? -1 : 1));
  const name = cleanExternalLine(title, 120).text;
  return { name, events: sorted, failures, over: past_count, is_whole: true };
}

/** Returns true if an event has ended; without an end time, if its last day has. */
const isOver = ({ start, end, all_day }: ImportedEvent, now: string): boolean =>
  all_day || end === null ? (end ?? start).slice(0, 10) < now.slice(0, 10) : end <= now;

/**
 * Lists the JSON-LD scripts of a page, with the page's title. `is_whole` is false if the page ends
 * within a tag, a comment or such a script.
 */
function listScripts(page: string) {
  const scripts: string[] = [];
  // `open_element`: the name of the last opened element, or `json` for a JSON-LD script.
  let [title, open_element] = ['', ''];
  let is_whole = !/<[a-z!/][^<>]*$/i.test(page.slice(-MAX_TAG_LENGTH));
  const parser = new Parser({
    onopentag: (name, { type = '' }) => {
      const is_json_ld = name === 'script' && /^\s*application\/ld\+json\b/i.test(type);
      open_element = is_json_ld ? 'json' : name;
      if (open_element === 'json') scripts.push('');
    },
    ontext: (text) => {
      if (open_element === 'title') title += text;
      else if (open_element === 'json') scripts.push((scripts.pop() ?? '') + text);
    },
    oncomment: () => {
      if (!page.startsWith('->', parser.endIndex - 1)) is_whole = false;
    },
    onclosetag: (_, is_implied) => {
      if (open_element === 'json' && is_implied) is_whole = false;
      open_element = '';
    },
  });
  parser.end(page);
  return { scripts: scripts.filter((text) => text.trim() !== ''), title, is_whole };
}
/** Longer tags at the end of a page are not recognized. */
const MAX_TAG_LENGTH = 2_000;

/** Names of properties with the events of a list or another event. */
const CONTAINER_NAMES = [
  ...['@graph', 'itemListElement', 'item', 'subEvent', 'subEvents', 'event', 'events'],
];

/** Lists the events of any type in a graph, a list or another event. */
function listEvents(value: unknown, depth: number): SchemaOrgNode[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => listEvents(item, depth + 1));
  if (!isSchemaOrgNode(value)) return [];
  const is_event = asArray(value['@type']).some((type) => /(Event|Festival)$/.test(String(type)));
  const inner_events = CONTAINER_NAMES.flatMap((name) => listEvents(value[name], depth + 1));
  if (!is_event || inner_events.length === 0) return is_event ? [value] : inner_events;
  // The parts of an event replace it, but its status holds for them.
  const state = parseEventState(textOf(value, 'eventStatus'));
  const inherited = state === 'on' ? {} : { eventStatus: value.eventStatus };
  return inner_events.map((part) => ({ superEvent: textOf(value, 'name'), ...part, ...inherited }));
}

/** Creates the failure of an event that breaks the parser. */
function createBrokenFailure(node: SchemaOrgNode, line: number): ImportFailure {
  const title = cleanExternalLine(textOf(node, 'name'), SUBMISSION_LIMITS.title).text;
  return { rule: 'not_understood', line, title, text: '' };
}

function parseEvent(
  node: SchemaOrgNode,
  line: number,
  zone: string,
): ImportedEvent | ImportFailure {
  const title = cleanExternalLine(textOf(node, 'name'), SUBMISSION_LIMITS.title);
  const createFailure = (rule: ImportFailure['rule'], text = '') => ({
    rule,
    line,
    title: title.text,
    text: excerptForDisplay(text),
  });
  const parseTime = (name: string): IcsTime | null =>
    parseIcsTime(
      textOf(node, name).replace(/^(.{16})$/, '$1:00'),
      undefined,
      parseTimeZones([], zone),
    );
  const start_time = parseTime('startDate');
  if (textOf(node, 'startDate') === '') return createFailure('no_start');
  if (start_time === null) return createFailure('bad_start', textOf(node, 'startDate'));
  if (!/[\p{L}\p{N}]/u.test(title.text)) return createFailure('no_title');
  const written_start = formatIcsTime(start_time);
  const { start, end, is_end_ignored } = computeSpan(node, start_time, parseTime('endDate'));
  const description = cleanExternalText(textOf(node, 'description'), SUBMISSION_LIMITS.description);
  const location = formatLocation(node);
  const link = (textOf(node, 'url') || textOf(node, '@id')).replaceAll('&amp;', '&');
  const status = listStatuses(node);
  const states = status.map(parseEventState);
  const is_postponed = states.includes('postponed');
  const is_cancelled = is_postponed || states.includes('cancelled');
  const unknown = [
    ...listUnknownSchemaOrgProperties(node),
    ...status.filter((_, index) => states[index] === 'unknown'),
  ];
  return {
    uid: normalizeUid([textOf(node, '@id') || link || title.text, written_start].join('\n')),
    line,
    title: title.text,
    description: description.text,
    start,
    end,
    all_day: start.length === 10,
    dates: [],
    off: [],
    location,
    url: parseExternalUrl(link),
    categories: [],
    is_cancelled,
    is_postponed,
    doubts: listImportWarnings([
      ['dates_unread', unknown.length > 0, unknown.join(', ')],
      ['called_off', !is_cancelled && isCalledOff(title.text, description.text)],
      ['letters_unread', [title.text, description.text, location].some(isGarbled)],
      ['text_cut', !title.is_whole || !description.is_whole],
      ['end_ignored', is_end_ignored, textOf(node, 'endDate') || textOf(node, 'duration')],
      ['join_link', listJoinLinks([title.text, description.text, location, link]).length > 0],
      ['tentative', states.includes('tentative')],
    ]),
  };
}

/** Lists the statuses of an event: `EventCancelled`, its address, or an object with this as `@id`. */
const listStatuses = (node: SchemaOrgNode): string[] =>
  asArray(node.eventStatus).map((status) => textOf({ status }, 'status'));

/**
 * Computes start and end, in the town's local time. An end that is invalid, before the start or of
 * another type than the start is ignored.
 */
function computeSpan(node: SchemaOrgNode, start: IcsTime, end: IcsTime | null) {
  const duration_text = textOf(node, 'duration');
  const has_end = textOf(node, 'endDate') !== '';
  const seconds = has_end
    ? end && end.is_day === start.is_day
      ? start.wall.until(wallTimeIn(end, start.zone)).total('seconds') +
        (end.is_day ? DAY_SECONDS : 0)
      : Number.NaN
    : parseDurationSeconds(duration_text || 'PT0S');
  const is_valid = seconds >= 0;
  const duration =
    is_valid && seconds > 0 ? Temporal.Duration.from({ seconds: Math.round(seconds) }) : null;
  const whole = findWholeDays({ start, duration }, false);
  const { day, hour, end: end_text } = buildDate(whole);
  return { start: `${day}${hour}`, end: end_text, is_end_ignored: !is_valid };
}
const DAY_SECONDS = 86_400;

/** Formats name and address of an event's first location; empty if it has none. */
function formatLocation(node: SchemaOrgNode): string {
  const [place] = asArray(node.location);
  const street =
    isSchemaOrgNode(place) && isSchemaOrgNode(place.address)
      ? textOf(place.address, 'streetAddress')
      : '';
  const parts = isSchemaOrgNode(place)
    ? [textOf(place, 'name'), street || textOf(place, 'address')]
    : [place];
  return cleanExternalLine(parts.filter(Boolean).join(', '), SUBMISSION_LIMITS.line).text;
}
