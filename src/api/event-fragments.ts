// Events as finished JSON bytes, kept as long as their snapshot: a list is then a copy of bytes with `next` and `more_dates` behind.
import type { Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { joinBytes } from '../serializers/bytes.ts';
import { toEventFields, toNextFields } from '../serializers/public-event.ts';
import type { ListMeta } from '../serializers/wire/meta.ts';
import type { Hit } from '../snapshot/find-events.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { readCard, readOccurrence } from '../snapshot/read-records.ts';

/** By language, then by event position: the event's JSON without `next`, `more_dates` and the closing brace. */
type Fragments = Readonly<Record<Lang, Map<number, Buffer>>>;

/** By snapshot, then by base address, so that nothing outlives the data it was made from. */
const KEPT = new WeakMap<Snapshot, Map<string, Fragments>>();

function keptFor(snapshot: Snapshot, site: Site): Fragments {
  const by_site = KEPT.get(snapshot) ?? new Map<string, Fragments>();
  KEPT.set(snapshot, by_site);
  const fragments = by_site.get(site.url) ?? { es: new Map(), en: new Map() };
  by_site.set(site.url, fragments);
  return fragments;
}

function getFragment(snapshot: Snapshot, fragments: Fragments, position: number, lang: Lang, site: Site): Buffer {
  const kept = fragments[lang].get(position);
  if (kept) return kept;
  const card = { ...readCard(snapshot, position), next: null, more_dates: 0 };
  const made = Buffer.from(JSON.stringify(toEventFields(card, lang, site)).slice(0, -1));
  fragments[lang].set(position, made);
  return made;
}

/** `,"next":{…},"more_dates":1}`: what ends an event's JSON. */
function toEnding(snapshot: Snapshot, hit: Hit, lang: Lang): string {
  const fields = toNextFields({ next: readOccurrence(snapshot, hit.next), more_dates: hit.more_dates }, lang);
  return `,${JSON.stringify(fields).slice(1)}`;
}

/** The bytes of `JSON.stringify({ data, meta })`, where data are the hits as PublicEvent (a test compares them). */
export function writeEventList(snapshot: Snapshot, hits: readonly Hit[], meta: ListMeta, lang: Lang, site: Site): Buffer {
  const fragments = keptFor(snapshot, site);
  const parts: (Buffer | string)[] = ['{"data":['];
  hits.forEach((hit, at) => {
    if (at > 0) parts.push(',');
    parts.push(getFragment(snapshot, fragments, hit.event, lang, site), toEnding(snapshot, hit, lang));
  });
  parts.push(`],"meta":${JSON.stringify(meta)}}`);
  return joinBytes(parts);
}
