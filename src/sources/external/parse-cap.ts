// Alerts of the Common Alerting Protocol 1.2, one in a file or many in a feed: what each says in which language, how
// grave it counts, where and until when, and which it follows (contract 14.40). One that is broken loses no other.
import { greatCircleKm, type Point } from '../../domain/distance.ts';
import { IMPORT_LIMITS } from '../../domain/imported-events.ts';
import { foldText } from '../../domain/text-folding.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { decodeBytes } from './ics-lines.ts';
import { normalizeUid } from './parse-ics.ts';
import { type SchemaOrgNode, asArray } from './parse-json-ld.ts';
import { findNodes, entryLink, parseXml, elementText } from './xml.ts';

export type CapAlert = NonNullable<ReturnType<typeof toAlert>>;
export type CapInfo = CapAlert['infos'][number];
type AlertArea = CapInfo['areas'][number];

/** Tests, exercises and drafts are counted; so is what nobody understands, or what is not for everybody. */
export function parseAlerts(bytes: Uint8Array, lang: Lang) {
  const parsed = parseXml(bytes);
  if ('problem' in parsed) return parsed;
  const find = (name: string) => findNodes(parsed.root, name);
  const nodes = find('alert').slice(0, IMPORT_LIMITS.looked_at);
  const feeds = ['rss', 'feed', 'rdf'].flatMap(find);
  if (nodes.length + feeds.length === 0) return { problem: 'not_feed' } as const;
  const actual = nodes.filter((node) => !isTest(node));
  const alerts = actual.flatMap((node) => toAlert(node, lang) ?? []);
  return {
    alerts: alerts.sort((a, b) => a.sent_ms - b.sent_ms),
    ignored: {
      test: nodes.length - actual.length,
      unread: actual.length - alerts.length + find(UNREAD).length,
    },
  };
}

const isTest = (node: SchemaOrgNode): boolean =>
  /^(Exercise|System|Test|Draft)$/.test(elementText(node, 'status')) ||
  /^(Ack|Error)$/.test(elementText(node, 'msgtype'));

function toAlert(node: SchemaOrgNode, lang: Lang) {
  const [sender, identifier] = [elementText(node, 'sender'), elementText(node, 'identifier')];
  const [type, sent_ms] = [elementText(node, 'msgtype'), toMs(elementText(node, 'sent'))];
  if (sender === '' || identifier === '' || sent_ms === null) return null;
  if (!/^(Alert|Update|Cancel)$/.test(type) || elementText(node, 'status') !== 'Actual')
    return null;
  if (elementText(node, 'scope') !== 'Public') return null;
  const follows = elementText(node, 'references').matchAll(/(\S+),[^\s,]+/g);
  return {
    /** The same wherever it is read. */
    uid: normalizeUid(`${sender},${identifier}`),
    follows: Array.from(follows, ([, one = '']) => normalizeUid(one)),
    sent_ms,
    is_cancel: type === 'Cancel',
    infos: findNodes(node, 'info').map((info) => toInfo(info, lang, sent_ms)),
  };
}

/** Null without an offset: such a moment means nothing. */
function toMs(text: string): number | null {
  const ms = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

const TYPES: ReadonlyMap<string, NoticeRecord['type']> = new Map([
  ['Met', 'weather'],
  ['Transport', 'traffic'],
  ['Env', 'ecology'],
  ['Health', 'health'],
  ['CBRNE', 'health'],
]);

function toInfo(node: SchemaOrgNode, own: Lang, sent_ms: number) {
  const said = elementText(node, 'language').slice(0, 2).toLowerCase();
  const title = elementText(node, 'headline') || elementText(node, 'event');
  const texts = [elementText(node, 'description'), elementText(node, 'instruction')].filter(
    Boolean,
  );
  return {
    /** Null for one that we do not speak. */
    lang: said === '' ? own : (LANGS.find((one) => one === said) ?? null),
    type: TYPES.get(elementText(node, 'category')) ?? 'other',
    severity: toSeverity(node),
    title,
    body: texts.join('\n\n') || title,
    start_ms: toMs(elementText(node, 'onset')) ?? toMs(elementText(node, 'effective')) ?? sent_ms,
    /** Null where it says none. */
    end_ms: toMs(elementText(node, 'expires')),
    source: elementText(node, 'sendername'),
    url: elementText(node, 'web'),
    areas: findNodes(node, 'area').map(toArea),
  };
}

/** Grave is what is severe, likely and soon; where one of these is less, or not said, it counts for less. */
function toSeverity(node: SchemaOrgNode): NoticeRecord['severity'] {
  const said = (name: string): string => elementText(node, name);
  const [severity, urgency, certainty] = [said('severity'), said('urgency'), said('certainty')];
  if (urgency === 'Past' || certainty === 'Unlikely') return 'info';
  if (severity === 'Moderate') return 'warning';
  if (severity !== 'Extreme' && severity !== 'Severe') return 'info';
  const is_soon = urgency === 'Immediate' || urgency === 'Expected';
  return is_soon && /^(Observed|Likely|Very Likely)$/.test(certainty) ? 'alert' : 'warning';
}

function toArea(node: SchemaOrgNode) {
  const codes = findNodes(node, 'geocode').map((code) => elementText(code, 'value'));
  return {
    names: [elementText(node, 'areadesc'), ...codes],
    polygons: asArray(node.polygon).map((text) => toPoints(String(text))),
    circles: asArray(node.circle).flatMap((text) => {
      const radius_km = Number(String(text).trim().split(/\s+/)[1]);
      return toPoints(String(text)).map((point) => ({ ...point, radius_km }));
    }),
  };
}

const toPoints = (text: string): readonly Point[] =>
  Array.from(text.matchAll(/(-?[\d.]+),(-?[\d.]+)/g), ([, lat, lng]) => ({
    lat: Number(lat),
    lng: Number(lng),
  }));

/** Whether a point lies within an area that says where it is. */
export const isPointInArea = ({ polygons, circles }: AlertArea, at: Point): boolean =>
  circles.some((one) => greatCircleKm(one.lat, one.lng, at.lat, at.lng) <= one.radius_km) ||
  polygons.some((polygon) => isWithin(polygon, at));

/** Counts the sides that a line to the east crosses. */
function isWithin(polygon: readonly Point[], { lat, lng }: Point): boolean {
  const crossed = polygon.filter((one, at) => {
    const other = polygon.at(at - 1) ?? one;
    const share = (lat - one.lat) / (other.lat - one.lat);
    return one.lat > lat !== other.lat > lat && lng < one.lng + share * (other.lng - one.lng);
  });
  return crossed.length % 2 === 1;
}

/** Whether an area names one of ours. One that says where it is may name what is far from it. */
export const isAreaNamed = (
  { names, polygons, circles }: AlertArea,
  ours: readonly string[],
): boolean =>
  polygons.length + circles.length === 0 &&
  ours.some((one) => names.some((name) => toWords(name).includes(toWords(one))));

const toWords = (text: string): string =>
  ` ${foldText(text)
    .replace(/[^\p{L}\p{N}-]+/gu, ' ')
    .trim()} `;

/** Entries of a feed of alerts that are followed at once. */
const MAX_LINKS = 20;
/** Stands for an entry whose alert did not come. */
const UNREAD = 'unread';

/** Where the entries of a feed lead that hold no alert themselves. */
export function listAlertLinks(bytes: Uint8Array, base: string): readonly string[] {
  const parsed = parseXml(bytes);
  if ('problem' in parsed) return [];
  const links = ['item', 'entry']
    .flatMap((name) => findNodes(parsed.root, name))
    .filter((entry) => findNodes(entry, 'alert').length === 0)
    .flatMap((entry) => URL.parse(entryLink(entry), base)?.href ?? []);
  return [...new Set(links)].slice(0, MAX_LINKS);
}

/** A feed and what its entries lead to as one file. */
export function joinAlerts(feed: Uint8Array, found: readonly (Uint8Array | null)[]): Buffer {
  let left = IMPORT_LIMITS.bytes - 1_000;
  const parts = [feed, ...found].map((bytes) => {
    if (bytes === null || bytes.length > left || 'problem' in parseXml(bytes))
      return `<${UNREAD}/>`;
    left -= bytes.length;
    return decodeBytes(bytes).replace(/^[\s\ufeff]*<\?xml[^>]*>/i, '');
  });
  return Buffer.from(`<all>${parts.join('\n')}</all>`);
}
