// The events that a page says of itself as JSON-LD (schema.org), each as a calendar's event (contract 14.36). One that
// is broken loses no other; a script that cannot be read means that the page did not arrive whole.
import { Parser } from 'htmlparser2';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { toZoned, ZONE } from '../../domain/local-time.ts';
import {
  FEED_LIMITS,
  type FeedEvent,
  type FeedFailure,
  type FeedReading,
} from '../../domain/feed.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission/rules.ts';
import { type FeedMoment, readZones, toMinuteText, toMoment, toText } from './moment.ts';
import { type FeedRead, listDoubts, toShown, toUid } from './read-feed.ts';
import { hasJoinLink, toFeedLine, toFeedText, toFeedUrl } from './text.ts';

/** How deep a graph is looked into. */
const MAX_DEPTH = 6;

export type Node = Readonly<Record<string, unknown>>;
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null;
export const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
/** The first text of a property, as `name`, `{"@value": name}` or a list of these. */
function textOf(node: Node, name: string): string {
  const [first] = toList(node[name]);
  const value = isNode(first) ? (first['@value'] ?? first.name ?? first['@id']) : first;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function readJsonLd(bytes: Uint8Array, now_ms: number, zone: string = ZONE): FeedRead {
  if (bytes.length > FEED_LIMITS.bytes) return { problem: 'too_large' };
  const page = new TextDecoder().decode(bytes);
  if (page.trim() === '') return { problem: 'empty' };
  const { scripts, title } = listScripts(page);
  const graphs = scripts.map((text) => v.safeParse(v.pipe(v.string(), v.parseJson()), text));
  if (graphs.some(({ success }) => !success)) return { problem: 'cut_off' };
  const nodes = graphs.flatMap(({ output }) => listEvents(output, 0));
  if (nodes.length === 0) return { problem: scripts.length > 0 ? 'no_events' : 'is_page' };
  // A page that ends in its midst may lack events.
  if (!isWhole(page)) return { problem: 'cut_off' };
  return { reading: readNodes(nodes, title, now_ms, zone) };
}

/** What a list of events of schema.org says; `line`: which of them each is. */
export function readNodes(
  nodes: readonly Node[],
  title: string,
  now_ms: number,
  zone: string,
): FeedReading {
  const events = new Map<string, FeedEvent>();
  const failures: FeedFailure[] = [];
  const now = toMinuteText(toZoned(now_ms).toPlainDateTime());
  let over = 0;
  for (const [at, node] of nodes.slice(0, FEED_LIMITS.looked_at).entries()) {
    const event = readEvent(node, at + 1, zone);
    if ('rule' in event) failures.push(event);
    else if (isOver(event, now)) over += 1;
    else if (events.size < FEED_LIMITS.events) events.set(event.uid, event);
    else failures.push({ rule: 'too_many', line: at + 1, title: event.title, text: event.start });
  }
  const sorted = [...events.values()].sort((a, b) => (a.start < b.start ? -1 : 1));
  return { name: toFeedLine(title, 120).text, events: sorted, failures, over };
}

/** Programs that keep pages write a comment behind their end. */
function isWhole(page: string): boolean {
  const end = page.toLowerCase().lastIndexOf('</html>');
  if (end === -1) return !/<html\b/i.test(page);
  const behind = page.slice(end + 7).split('-->');
  return behind.pop()?.trim() === '' && behind.every((text) => text.trimStart().startsWith('<!--'));
}

const isOver = ({ start, end, all_day }: FeedEvent, now: string): boolean =>
  all_day || end === null ? (end ?? start).slice(0, 10) < now.slice(0, 10) : end <= now;

function listScripts(page: string) {
  const scripts: string[] = [];
  let [title, open] = ['', ''];
  const parser = new Parser({
    onopentag: (name, { type = '' }) => {
      open = name === 'script' && /^application\/ld\+json\b/i.test(type) ? 'json' : name;
      if (open === 'json') scripts.push('');
    },
    ontext: (text) => {
      if (open === 'title') title += text;
      else if (open === 'json') scripts.push((scripts.pop() ?? '') + text);
    },
    onclosetag: () => {
      open = '';
    },
  });
  parser.end(page);
  return { scripts: scripts.filter((text) => text.trim() !== ''), title };
}

/** Events of any type, wherever they stand in a graph, a list or another event. */
function listEvents(value: unknown, depth: number): Node[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => listEvents(one, depth + 1));
  if (!isNode(value)) return [];
  const is_event = toList(value['@type']).some((type) => /(Event|Festival)$/.test(String(type)));
  const within = ['@graph', 'itemListElement', 'item', 'subEvent', 'event', 'events'];
  const others = within.flatMap((name) => listEvents(value[name], depth + 1));
  // What has parts is told by them.
  return is_event && others.length === 0 ? [value] : others;
}

function readEvent(node: Node, line: number, zone: string): FeedEvent | FeedFailure {
  const title = toFeedLine(textOf(node, 'name'), SUBMISSION_LIMITS.title);
  const fail = (rule: FeedFailure['rule'], text = '') => ({
    rule,
    line,
    title: title.text,
    text: toShown(text),
  });
  const read = (name: string): FeedMoment | null =>
    toMoment(textOf(node, name).replace(/^(.{16})$/, '$1:00'), undefined, readZones([], zone));
  const start = read('startDate');
  if (textOf(node, 'startDate') === '') return fail('no_start');
  if (start === null) return fail('bad_start', textOf(node, 'startDate'));
  if (!/[\p{L}\p{N}]/u.test(title.text)) return fail('no_title');
  const [begins, ends] = [toText(start), read('endDate')];
  const end = ends && ends.is_day === start.is_day ? toText(ends) : null;
  const is_end = end !== null && Temporal.PlainDateTime.compare(end, begins) > 0;
  const description = toFeedText(textOf(node, 'description'), SUBMISSION_LIMITS.description);
  const [place] = toList(node.location);
  const address =
    isNode(place) && isNode(place.address) ? textOf(place.address, 'streetAddress') : '';
  const said = isNode(place)
    ? [textOf(place, 'name'), address || textOf(place, 'address')]
    : [place];
  const location = toFeedLine(said.filter(Boolean).join(', '), SUBMISSION_LIMITS.line).text;
  const link = textOf(node, 'url') || textOf(node, '@id');
  const status = textOf(node, 'eventStatus');
  const is_postponed = /EventPostponed$/.test(status);
  return {
    uid: toUid([textOf(node, '@id') || link || title.text, begins].join('\n')),
    line,
    title: title.text,
    description: description.text,
    start: begins,
    end: is_end ? end : null,
    all_day: start.is_day,
    dates: [],
    off: [],
    location,
    url: toFeedUrl(link),
    categories: [],
    is_cancelled: is_postponed || /EventCancelled$/.test(status),
    is_postponed,
    doubts: listDoubts([
      ['text_cut', !title.is_whole || !description.is_whole],
      ['end_ignored', end !== null && !is_end && end !== begins, end],
      ['join_link', [description.text, location, link].some(hasJoinLink)],
    ]),
  };
}
