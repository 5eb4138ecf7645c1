// One field of a file of content written anew: every other byte of the file stays (contract 14.31).
import { Document, isMap, isPair, isScalar, isSeq, type Pair, parseDocument, Scalar } from 'yaml';

/** Nothing that a file would say. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** The text of a file with one field said anew; at its end where it was not there. */
export function writeField(text: string, field: string, value: unknown): string {
  const document: Document = parseDocument(text);
  const map = document.contents;
  if (!isMap(map)) throw new Error('A file of content is a map');
  const pair = map.items.find((item) => isScalar(item.key) && item.key.value === field);
  if (pair === undefined) {
    if (isNothing(value)) return text;
    const lead = text === '' || text.endsWith('\n') ? '' : '\n';
    return `${text}${lead}${toText(document.createPair(field, toNode(document, value)))}`;
  }
  const [start, end] = toRange(text, pair);
  if (isNothing(value)) return text.slice(0, start) + text.slice(end);
  const was: unknown = isPair(pair) && isMap(map) ? document.toJS()[field] : undefined;
  if (JSON.stringify(was) === JSON.stringify(plain(value))) return text;
  pair.value = toChanged(document, pair.value, value);
  return text.slice(0, start) + toText(pair) + text.slice(end);
}

/** Without what is not there. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** From its name to the line after its value. */
function toRange(text: string, pair: Pair): [number, number] {
  const start = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
  const { value } = pair;
  const last =
    isMap(value) || isSeq(value) || isScalar(value) ? (value.range?.[1] ?? start) : start;
  const line = text.indexOf('\n', Math.max(start, last - 1));
  return [start, line < 0 ? text.length : line + 1];
}

/** A value as whoever writes content writes it: hours in quotes. */
function toNode(document: Document, value: unknown): unknown {
  return document.createNode(plain(value), (_key, one: unknown) => {
    if (typeof one !== 'string' || !/^\d\d:\d\d$|^\d{5}$/.test(one)) return one;
    const scalar = new Scalar(one);
    scalar.type = 'QUOTE_DOUBLE';
    return scalar;
  });
}

/** What stands there with what is new in it: comments and order stay where they can. */
function toChanged(document: Document, node: unknown, value: unknown): unknown {
  if (isMap(node) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const wanted = new Map(Object.entries(value).filter(([, one]) => !isNothing(one)));
    node.items = node.items.filter(
      (item) => isScalar(item.key) && wanted.has(String(item.key.value)),
    );
    for (const [key, one] of wanted) node.set(key, toChanged(document, node.get(key, true), one));
    return node;
  }
  if (isSeq(node) && Array.isArray(value) && node.items.length <= value.length) {
    const { items } = node;
    node.items = value.map((one, at) =>
      at < items.length ? toChanged(document, items[at], one) : toNode(document, one),
    );
    return node;
  }
  if (isScalar(node) && (typeof value !== 'object' || value === null)) {
    node.value = value;
    return node;
  }
  return toNode(document, value);
}

/** One field as text, as wide as it is. */
function toText(pair: Pair): string {
  const document = new Document({});
  if (isMap(document.contents)) document.contents.items = [pair];
  return document.toString({ lineWidth: 0 });
}
