// CAP alerts: parses one alert or a feed of alerts (Common Alerting Protocol 1.2) with texts,
// severity, areas, times and the alerts each one replaces (contract 14.51). An invalid alert does
// not affect the others.
import { greatCircleKm, type Point } from '../../domain/distance.ts';
import { IMPORT_LIMITS } from '../../domain/imported-events.ts';
import { foldText } from '../../domain/text-folding.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { decodeMarkup } from './decode-text.ts';
import { normalizeUid } from './parse-ics.ts';
import { type SchemaOrgNode, asArray } from './schema-org-node.ts';
import { parseSafely } from './parse-safely.ts';
import { findNodes, entryLink, parseXml, elementText } from './xml.ts';

export type CapAlert = NonNullable<ReturnType<typeof parseAlert>>;
export type CapInfo = CapAlert['infos'][number];
type AlertArea = CapInfo['areas'][number];

/**
 * Parses the public alerts of a file. Tests and drafts, and invalid or restricted alerts, are only
 * counted.
 */
export function parseAlerts(bytes: Uint8Array, lang: Lang) {
  const parsed = parseXml(bytes);
  if ('problem' in parsed) return parsed;
  const findAll = (name: string) => findNodes(parsed.root, name);
  const nodes = findAll('alert').slice(0, IMPORT_LIMITS.looked_at);
  const feeds = ['rss', 'feed', 'rdf'].flatMap(findAll);
  if (nodes.length + feeds.length === 0) return { problem: 'not_feed' } as const;
  const actual = nodes.filter((node) => !isTest(node));
  const alerts = actual.flatMap(
    (node) =>
      parseSafely(
        () => parseAlert(node, lang),
        () => null,
      ) ?? [],
  );
  return {
    alerts: alerts.sort((a, b) => a.sent_ms - b.sent_ms),
    /** Counts: tests and drafts; invalid, restricted and unfetched alerts. */
    ignored: {
      test: nodes.length - actual.length,
      unread: actual.length - alerts.length + findAll(UNREAD).length,
    },
  };
}

const isTest = (node: SchemaOrgNode): boolean =>
  /^(Exercise|System|Test|Draft)$/.test(elementText(node, 'status')) ||
  /^(Ack|Error)$/.test(elementText(node, 'msgtype'));

/** Parses an alert; null if it is invalid, a test or restricted. */
function parseAlert(node: SchemaOrgNode, lang: Lang) {
  const sender = elementText(node, 'sender');
  const identifier = elementText(node, 'identifier');
  const type = elementText(node, 'msgtype');
  const sent_ms = parseMs(elementText(node, 'sent'));
  if (sender === '' || identifier === '' || sent_ms === null) return null;
  if (!/^(Alert|Update|Cancel)$/.test(type) || elementText(node, 'status') !== 'Actual')
    return null;
  if (elementText(node, 'scope') !== 'Public') return null;
  return {
    /** Id of the alert within its source. */
    uid: normalizeUid(`${sender},${identifier}`),
    sender,
    /** `uid`s of the earlier alerts of the same sender that this one updates or cancels. */
    follows: listReferences(elementText(node, 'references'))
      .filter((reference) => reference.startsWith(`${sender},`))
      .slice(0, MAX_REFERENCES)
      .map(normalizeUid),
    sent_ms,
    is_cancel: type === 'Cancel',
    infos: findNodes(node, 'info').map((info) => parseInfo(info, lang, sent_ms)),
  };
}

/** Further references of an alert are ignored: each is looked up in the inbox. */
const MAX_REFERENCES = 100;

/** Lists the `sender,identifier` of each reference; they are written `sender,identifier,sent`. */
const listReferences = (text: string): readonly string[] =>
  text.split(/\s/).flatMap((reference) => {
    const length = reference.lastIndexOf(',');
    return length > 0 ? [reference.slice(0, length)] : [];
  });

/** Parses a timestamp to epoch ms. @returns null if it is invalid or has no offset. */
function parseMs(text: string): number | null {
  const ms = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

const NOTICE_TYPE_BY_CATEGORY: ReadonlyMap<string, NoticeRecord['type']> = new Map([
  ['Met', 'weather'],
  ['Transport', 'traffic'],
  ['Env', 'ecology'],
  ['Health', 'health'],
  ['CBRNE', 'health'],
]);

/** Parses the texts and facts of an alert in one language. */
function parseInfo(node: SchemaOrgNode, default_lang: Lang, sent_ms: number) {
  const lang_code = elementText(node, 'language').slice(0, 2).toLowerCase();
  const title = elementText(node, 'headline') || elementText(node, 'event');
  const texts = [elementText(node, 'description'), elementText(node, 'instruction')].filter(
    Boolean,
  );
  return {
    /** Null for an unsupported language. */
    lang: lang_code === '' ? default_lang : (LANGS.find((lang) => lang === lang_code) ?? null),
    type: NOTICE_TYPE_BY_CATEGORY.get(elementText(node, 'category')) ?? 'other',
    severity: computeSeverity(node),
    title,
    body: texts.join('\n\n') || title,
    start_ms:
      parseMs(elementText(node, 'onset')) ?? parseMs(elementText(node, 'effective')) ?? sent_ms,
    /** Null if the alert has no end. */
    end_ms: parseMs(elementText(node, 'expires')),
    source: elementText(node, 'sendername'),
    url: elementText(node, 'web'),
    areas: findNodes(node, 'area').map(parseArea),
  };
}

/** Computes the severity of a notice: `alert` only if the alert is severe, likely and soon. */
function computeSeverity(node: SchemaOrgNode): NoticeRecord['severity'] {
  const severity = elementText(node, 'severity');
  const urgency = elementText(node, 'urgency');
  const certainty = elementText(node, 'certainty');
  if (urgency === 'Past' || certainty === 'Unlikely') return 'info';
  if (severity === 'Moderate') return 'warning';
  if (severity !== 'Extreme' && severity !== 'Severe') return 'info';
  const is_soon = urgency === 'Immediate' || urgency === 'Expected';
  return is_soon && /^(Observed|Likely|Very Likely)$/.test(certainty) ? 'alert' : 'warning';
}

function parseArea(node: SchemaOrgNode) {
  const codes = findNodes(node, 'geocode').map((code) => elementText(code, 'value'));
  return {
    /** Description and codes. */
    names: [elementText(node, 'areadesc'), ...codes],
    polygons: asArray(node.polygon).map((text) => parsePoints(String(text))),
    // A circle is written `latitude,longitude radius`, with the radius in km.
    circles: asArray(node.circle).flatMap((text) => {
      const radius_km = Number(String(text).trim().split(/\s+/)[1]);
      return parsePoints(String(text)).map((point) => ({ ...point, radius_km }));
    }),
  };
}

/** Corners of a polygon beyond this number make it invalid; warnings have some hundred. */
const MAX_POINTS = 5_000;

/** Parses points `latitude,longitude` between spaces; other words are ignored. */
const parsePoints = (text: string): readonly Point[] =>
  listWords(text, MAX_POINTS).flatMap((word) => {
    const [lat, lng, ...others] = word.split(',').map(Number);
    const is_point = others.length === 0 && Number.isFinite(lat) && Number.isFinite(lng);
    return is_point && lat !== undefined && lng !== undefined ? [{ lat, lng }] : [];
  });

/** Splits a text at white space. @returns an empty list for more than `max` words. */
function listWords(text: string, max: number): readonly string[] {
  const words = text.split(/\s+/, max + 1);
  return words.length > max ? [] : words;
}

/** Returns true if a point is within a polygon or circle of an area. */
export const isPointInArea = ({ polygons, circles }: AlertArea, point: Point): boolean =>
  circles.some(
    ({ lat, lng, radius_km }) => greatCircleKm(lat, lng, point.lat, point.lng) <= radius_km,
  ) || polygons.some((polygon) => isPointInPolygon(polygon, point));

/** Counts the polygon sides that a ray to the east crosses: an odd count is inside. */
function isPointInPolygon(polygon: readonly Point[], { lat, lng }: Point): boolean {
  // Each side goes from a corner to the previous one; `ratio` is the position of the ray on it.
  const crossed_sides = polygon.filter((corner, index) => {
    const previous = polygon.at(index - 1) ?? corner;
    const ratio = (lat - corner.lat) / (previous.lat - corner.lat);
    return (
      corner.lat > lat !== previous.lat > lat &&
      lng < corner.lng + ratio * (previous.lng - corner.lng)
    );
  });
  return crossed_sides.length % 2 === 1;
}

/** Returns true if an area has one of our names and no coordinates, which are more precise. */
export const isAreaNamed = (
  { names, polygons, circles }: AlertArea,
  our_names: readonly string[],
): boolean =>
  polygons.length + circles.length === 0 &&
  our_names.some((our_name) =>
    names.some((name) => normalizeWords(name).includes(normalizeWords(our_name))),
  );

/** Folds a text to words between spaces, so that `includes` matches whole words. */
const normalizeWords = (text: string): string =>
  ` ${foldText(text)
    .replace(/[^\p{L}\p{N}-]+/gu, ' ')
    .trim()} `;

/** Linked alerts beyond this number are not fetched. */
const MAX_LINKS = 20;
/** Name of the element that replaces a linked alert that could not be fetched. */
const UNREAD = 'unread';

/** Lists the links of feed entries that do not contain the alert itself. */
export function listAlertLinks(bytes: Uint8Array, base: string): readonly string[] {
  const parsed = parseXml(bytes);
  if ('problem' in parsed) return [];
  const links = ['item', 'entry']
    .flatMap((name) => findNodes(parsed.root, name))
    .filter((entry) => findNodes(entry, 'alert').length === 0)
    .flatMap((entry) => URL.parse(entryLink(entry), base)?.href ?? []);
  return [...new Set(links)].slice(0, MAX_LINKS);
}

/** Joins a feed and its linked alerts to one file. `null` is an alert that could not be fetched. */
export function joinAlerts(feed: Uint8Array, alerts: readonly (Uint8Array | null)[]): Buffer {
  let remaining_bytes = IMPORT_LIMITS.bytes - 1_000;
  const parts = [feed, ...alerts].map((bytes) => {
    if (bytes === null || bytes.length > remaining_bytes || 'problem' in parseXml(bytes))
      return `<${UNREAD}/>`;
    remaining_bytes -= bytes.length;
    return decodeMarkup(bytes).replace(/^[\s\ufeff]*<\?xml[^>]*>/i, '');
  });
  return Buffer.from(`<all>${parts.join('\n')}</all>`);
}
