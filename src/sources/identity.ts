// Identities: ids that come from a file's name, digests of what a thing says, slugs and whose they
// are.
import { hash } from 'node:crypto';
import { toSlug } from '../domain/folding.ts';
import { byLang, LANGS, type LocalText } from '../domain/lang.ts';
import type { PublishedSlug } from '../domain/ledger.ts';
import type { ContentIssue } from './issues.ts';
import type { ContentFile } from './read-content.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const PREFIX = { event: 'ev', venue: 've', organizer: 'or', notice: 'no' } as const;
export type IdentityKind = keyof typeof PREFIX;

/**
 * An id of two letters, `_` and ten characters from the file's name: the same permanently, whatever
 * the title.
 */
export function toId(kind: IdentityKind, stem: string): string {
  const bytes = hash('sha256', `${kind}:${stem}`, 'buffer');
  const tail = [...bytes.subarray(0, 10)].map((byte) => ALPHABET[byte & 31]).join('');
  return `${PREFIX[kind]}_${tail}`;
}

interface Named {
  readonly id?: string | undefined;
  readonly slug?: LocalText | undefined;
}

/** The id of a file: the one it states, or the one of its name. */
export function idOf(kind: IdentityKind, file: ContentFile<Named>): string {
  const id = file.value.id ?? ids.get(file) ?? toId(kind, file.stem);
  ids.set(file, id);
  return id;
}
/** Asked for again and again. */
const ids = new WeakMap<object, string>();

/** The slugs a file states, or those of its names. An empty one is an issue. */
export function slugOf(
  file: ContentFile<Named>,
  name: LocalText,
  issues: ContentIssue[],
): LocalText {
  const slug = file.value.slug ?? byLang((lang) => toSlug(name[lang]));
  if (LANGS.some((lang) => slug[lang] === '')) {
    issues.push({
      file: file.file,
      line: 1,
      field: 'slug',
      message: 'is needed: the name has no letter from which to make one',
    });
  }
  return slug;
}

/** One thing with every slug it has and had. */
export interface SlugClaim {
  readonly id: string;
  readonly file: string;
  /** Found only when an issue needs it: it costs a second parse of the file. */
  readonly line: () => number | null;
  readonly slugs: readonly string[];
}

/**
 * Every slug and id of one kind with its owner, the ledger's old ones too. A slug claimed twice, or
 * one that was published for another thing, is an issue: an address that was ever given keeps its
 * meaning (contract 5.6, 5.7).
 */
export function collectSlugs(
  kind: PublishedSlug['kind'],
  claims: readonly SlugClaim[],
  published: readonly PublishedSlug[],
  issues: ContentIssue[],
): PublishedSlug[] {
  const owner = new Map<string, SlugClaim>();
  const old = new Map(published.filter((p) => p.kind === kind).map((p) => [p.slug, p.id]));
  for (const claim of claims) {
    for (const slug of new Set([claim.id, ...claim.slugs])) {
      const other = owner.get(slug);
      const before = old.get(slug);
      if (other)
        issues.push({
          file: claim.file,
          line: claim.line(),
          field: 'slug',
          message: `'${slug}' is also the address of ${other.file}. Give this one a slug of its own`,
        });
      else if (before !== undefined && before !== claim.id)
        issues.push({
          file: claim.file,
          line: claim.line(),
          field: 'slug',
          message: `'${slug}' was published for ${before} before and keeps leading there. Choose another`,
        });
      else owner.set(slug, claim);
    }
  }
  const now = [...owner].map(([slug, claim]) => ({ kind, slug, id: claim.id }));
  const live = new Set(claims.map((claim) => claim.id));
  const former = [...old]
    .filter(([slug, id]) => !owner.has(slug) && live.has(id))
    .map(([slug, id]) => ({ kind, slug, id }));
  return [...now, ...former].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}
