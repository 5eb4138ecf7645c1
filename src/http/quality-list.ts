// Lists with q-values, as Accept and Accept-Encoding carry them (RFC 9110 12.4.2).
import { LRUCache } from 'lru-cache';

/** One member: its value in lower case without parameters, its other parameters, its weight. */
export interface Quality {
  readonly value: string;
  /** `name=value` in lower case, without q. */
  readonly parameters: readonly string[];
  /** 0 to 1; 0 is "not acceptable". */
  readonly q: number;
}

/** Longer headers are cut here: nobody needs more members, and each costs time. */
const MAX_MEMBERS = 64;

const QVALUE = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/** Headers kept with what they say: there are few that programs send, and each request has two. */
const CACHE = 200;
/** Longer ones are no program's. */
const MAX_CACHED_LENGTH = 200;
const cached = new LRUCache<string, readonly Quality[]>({ max: CACHE });

/** The members of a header in their order; one with a q that is no qvalue is left out. */
export function parseQualities(header: string): readonly Quality[] {
  const known = cached.get(header);
  if (known) return known;
  const parsed = parse(header);
  if (header.length <= MAX_CACHED_LENGTH) cached.set(header, parsed);
  return parsed;
}

function parse(header: string): readonly Quality[] {
  return header.split(',', MAX_MEMBERS).flatMap((member) => {
    const [value = '', ...rest] = member.split(';').map((part) => part.trim().toLowerCase());
    if (value === '') return [];
    const weight = rest.find((part) => part.startsWith('q='))?.slice(2);
    if (weight !== undefined && !QVALUE.test(weight)) return [];
    return [
      {
        value,
        parameters: rest.filter((part) => part !== '' && !part.startsWith('q=')),
        q: weight === undefined ? 1 : Number(weight),
      },
    ];
  });
}
