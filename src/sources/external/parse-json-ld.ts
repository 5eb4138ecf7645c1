// JSON-LD events: parses the schema.org events of a page as imported events (contract 14.36). An
// invalid event does not affect the others; an invalid script means that the page is incomplete.
import { Parser } from 'htmlparser2';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { toZoned, TIME_ZONE } from '../../domain/local-time.ts';
import {
  IMPORT_LIMITS,
  type ImportedEvent,
  type ImportFailure,
  type ImportedCalendar,
} from '../../domain/imported-events.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission/field-rules.ts';
import {
  type IcsTime,
  parseTimeZones,
  formatLocalMinute,
  parseIcsTime,
  formatIcsTime,
} from './ics-time.ts';
import {
  type ParseResult,
  listImportWarnings,
  excerptForDisplay,
  normalizeUid,
} from './parse-ics.ts';
import { parseSafely } from './parse-safely.ts';
import {
  hasMeetingLink,
  cleanExternalLine,
  cleanExternalText,
  parseExternalUrl,
} from './clean-external-text.ts';

/** Deeper nodes of a graph are ignored. */
const MAX_DEPTH = 6;

/** An object of JSON-LD, or an element of XML with its children by name. */
export type SchemaOrgNode = Readonly<Record<string, unknown>>;
export const isSchemaOrgNode = (value: unknown): value is SchemaOrgNode =>
  typeof value === 'object' && value !== null;
export const asArray = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
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
  const page = new TextDecoder().decode(bytes);
  if (page.trim() === '') return { problem: 'empty' };
  const { scripts, title } = listScripts(page);
  const graphs = scripts.map((text) => v.safeParse(v.pipe(v.string(), v.parseJson()), text));
  if (graphs.some(({ success }) => !success)) return { problem: 'cut_off' };
  const nodes = graphs.flatMap(({ output }) => listEvents(output, 0));
  if (nodes.length === 0) return { problem: scripts.length > 0 ? 'no_events' : 'is_page' };
  // An incomplete page may lack events.
  if (!isComplete(page)) return { problem: 'cut_off' };
  return { reading: parseSchemaOrgEvents(nodes, title, now_ms, zone) };
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
  return { name: cleanExternalLine(title, 120).text, events: sorted, failures, over: past_count };
}

/** Returns true if a page has its end tag. Only comments may follow, which page caches append. */
function isComplete(page: string): boolean {
  const end = page.toLowerCase().lastIndexOf('</html>');
  if (end === -1) return !/<html\b/i.test(page);
  const comments = page.slice(end + 7).split('-->');
  return (
    comments.pop()?.trim() === '' && comments.every((text) => text.trimStart().startsWith('<!--'))
  );
}

/** Returns true if an event has ended; without an end time, if its last day has. */
const isOver = ({ start, end, all_day }: ImportedEvent, now: string): boolean =>
  all_day || end === null ? (end ?? start).slice(0, 10) < now.slice(0, 10) : end <= now;

/** Lists the JSON-LD scripts of a page, with the page's title. */
function listScripts(page: string) {
  const scripts: string[] = [];
  // `open_element`: the name of the last opened element, or `json` for a JSON-LD script.
  let [title, open_element] = ['', ''];
  const parser = new Parser({
    onopentag: (name, { type = '' }) => {
      const is_json_ld = name === 'script' && /^application\/ld\+json\b/i.test(type);
      open_element = is_json_ld ? 'json' : name;
      if (open_element === 'json') scripts.push('');
    },
    ontext: (text) => {
      if (open_element === 'title') title += text;
      else if (open_element === 'json') scripts.push((scripts.pop() ?? '') + text);
    },
    onclosetag: () => {
      open_element = '';
    },
  });
  parser.end(page);
  return { scripts: scripts.filter((text) => text.trim() !== ''), title };
}

/** Lists the events of any type in a graph, a list or another event. */
function listEvents(value: unknown, depth: number): SchemaOrgNode[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => listEvents(item, depth + 1));
  if (!isSchemaOrgNode(value)) return [];
  const is_event = asArray(value['@type']).some((type) => /(Event|Festival)$/.test(String(type)));
  const container_names = ['@graph', 'itemListElement', 'item', 'subEvent', 'event', 'events'];
  const inner_events = container_names.flatMap((name) => listEvents(value[name], depth + 1));
  // The parts of an event replace it.
  return is_event && inner_events.length === 0 ? [value] : inner_events;
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
  const [start, end_time] = [formatIcsTime(start_time), parseTime('endDate')];
  const end = end_time && end_time.is_day === start_time.is_day ? formatIcsTime(end_time) : null;
  const is_valid_end = end !== null && Temporal.PlainDateTime.compare(end, start) > 0;
  const description = cleanExternalText(textOf(node, 'description'), SUBMISSION_LIMITS.description);
  const location = formatLocation(node);
  const link = textOf(node, 'url') || textOf(node, '@id');
  const status = textOf(node, 'eventStatus');
  const is_postponed = /EventPostponed$/.test(status);
  return {
    uid: normalizeUid([textOf(node, '@id') || link || title.text, start].join('\n')),
    line,
    title: title.text,
    description: description.text,
    start,
    end: is_valid_end ? end : null,
    all_day: start_time.is_day,
    dates: [],
    off: [],
    location,
    url: parseExternalUrl(link),
    categories: [],
    is_cancelled: is_postponed || /EventCancelled$/.test(status),
    is_postponed,
    doubts: listImportWarnings([
      ['text_cut', !title.is_whole || !description.is_whole],
      ['end_ignored', end !== null && !is_valid_end && end !== start, end],
      ['join_link', [description.text, location, link].some(hasMeetingLink)],
    ]),
  };
}

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
