// Record identity: derives ids from file names, and assigns each slug to one record.
import { hash } from 'node:crypto';
import { slugify } from '../domain/text-folding.ts';
import { byLang, LANGS, type LocalText } from '../domain/lang.ts';
import type { PublishedSlug } from '../domain/ledger.ts';
import { type ContentIssue, createIssueAt } from '../yaml.ts';
import type { ParsedContentFile } from './load-content.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const PREFIX = { event: 'ev', venue: 've', organizer: 'or', notice: 'no' } as const;
export type IdentityKind = keyof typeof PREFIX;

/** Derives an id from a file name: a prefix of two letters, `_` and ten characters. */
export function deriveId(kind: IdentityKind, stem: string): string {
  const bytes = hash('sha256', `${kind}:${stem}`, 'buffer');
  const tail = [...bytes.subarray(0, 10)].map((byte) => ALPHABET[byte & 31]).join('');
  return `${PREFIX[kind]}_${tail}`;
}

/** The fields of a content file from which id and slugs derive. */
interface Identifiable {
  readonly id?: string | undefined;
  readonly title?: LocalText | undefined;
  readonly name?: string | undefined;
  readonly slug?: LocalText | undefined;
  readonly former_slugs: readonly string[];
  /** Ids of duplicates that were merged into this record. */
  readonly former_ids?: readonly string[] | undefined;
}

/** Cache of getId, which one build calls many times per file. */
const id_by_file = new WeakMap<object, string>();

/** Returns the id of a file: its `id` field, or the one derived from its name. */
export function getId(
  kind: IdentityKind,
  file: ParsedContentFile<Pick<Identifiable, 'id'>>,
): string {
  const id = file.value.id ?? id_by_file.get(file) ?? deriveId(kind, file.stem);
  id_by_file.set(file, id);
  return id;
}

/** Returns the slugs of a record: its `slug` field, or those built from its title or name. */
export const getSlugs = ({ slug, title, name = '' }: Identifiable): LocalText =>
  slug ?? byLang((lang) => slugify(title?.[lang] ?? name));

/** Returns the slugs of a file. Pushes an issue if one is empty. */
export function requireSlug(
  source: ParsedContentFile<Identifiable>,
  issues: ContentIssue[],
): LocalText {
  const slug = getSlugs(source.value);
  if (LANGS.some((lang) => slug[lang] === '')) {
    const message = 'is required: the name has no letters or digits to build it from';
    issues.push(createIssueAt(source, ['slug'], message));
  }
  return slug;
}

/** Lists the id, slugs, former slugs and former ids of a record, its id first. */
export const listSlugsAndId = (id: string, value: Identifiable): ReadonlySet<string> =>
  new Set([
    id,
    ...LANGS.map((lang) => getSlugs(value)[lang]),
    ...value.former_slugs,
    ...(value.former_ids ?? []),
  ]);

/**
 * Collects every slug and id of one record kind with its owner, including former ones in the
 * ledger. Pushes an issue for a slug that two records claim or that was published for another
 * record: a published address never changes its meaning (contract 5.6, 5.7).
 */
export function collectSlugs(
  kind: PublishedSlug['kind'],
  files: readonly ParsedContentFile<Identifiable>[],
  published: readonly PublishedSlug[],
  issues: ContentIssue[],
): PublishedSlug[] {
  const owners = new Map<string, { readonly id: string; readonly file: string }>();
  const published_owners = new Map(
    published.filter((entry) => entry.kind === kind).map(({ slug, id }) => [slug, id]),
  );
  const findConflict = (slug: string, id: string): string | null => {
    const other = owners.get(slug);
    if (other) return `'${slug}' is also the address of ${other.file}. Choose another slug`;
    // The id of a record that was merged before belongs to it again.
    const published_id = slug === id ? id : published_owners.get(slug);
    return published_id !== undefined && published_id !== id
      ? `'${slug}' was published for ${published_id} and still redirects there. Choose another slug`
      : null;
  };
  const live_ids = new Set<string>();
  for (const source of files) {
    const id = getId(kind, source);
    live_ids.add(id);
    for (const slug of listSlugsAndId(id, source.value)) {
      const message = findConflict(slug, id);
      if (message === null) owners.set(slug, { id, file: source.file });
      else issues.push({ ...createIssueAt(source, ['slug'], message), address: slug });
    }
  }
  // Slugs in the ledger that no file has any more, of records that still exist: their addresses
  // redirect.
  const former_slugs = [...published_owners].filter(
    ([slug, id]) => !owners.has(slug) && live_ids.has(id),
  );
  return [...[...owners].map(([slug, { id }]) => [slug, id] as const), ...former_slugs]
    .map(([slug, id]) => ({ kind, slug, id }))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
}
