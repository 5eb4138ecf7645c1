// Identities: ids that come from a file's name, slugs and whose they are.
import { hash } from 'node:crypto';
import { slugify } from '../domain/text-folding.ts';
import { byLang, LANGS, type LocalText } from '../domain/lang.ts';
import type { PublishedSlug } from '../domain/ledger.ts';
import { type ContentIssue, createIssueAt } from '../yaml.ts';
import type { ParsedContentFile } from './load-content.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const PREFIX = { event: 'ev', venue: 've', organizer: 'or', notice: 'no' } as const;
export type IdentityKind = keyof typeof PREFIX;

/** Two letters, `_` and ten characters from the file's name: the same permanently, whatever the title. */
export function deriveId(kind: IdentityKind, stem: string): string {
  const bytes = hash('sha256', `${kind}:${stem}`, 'buffer');
  const tail = [...bytes.subarray(0, 10)].map((byte) => ALPHABET[byte & 31]).join('');
  return `${PREFIX[kind]}_${tail}`;
}

interface Identifiable {
  readonly id?: string | undefined;
  readonly title?: LocalText | undefined;
  readonly name?: string | undefined;
  readonly slug?: LocalText | undefined;
  readonly former_slugs: readonly string[];
  readonly former_ids?: readonly string[] | undefined;
}

/** The id of a file: the one it states, or the one of its name. */
export function getId(
  kind: IdentityKind,
  file: ParsedContentFile<Pick<Identifiable, 'id'>>,
): string {
  const id = file.value.id ?? ids.get(file) ?? deriveId(kind, file.stem);
  ids.set(file, id);
  return id;
}
/** Asked for again and again. */
const ids = new WeakMap<object, string>();

/** The slugs a thing states, or those of its names. */
export const getSlugs = ({ slug, title, name = '' }: Identifiable): LocalText =>
  slug ?? byLang((lang) => slugify(title?.[lang] ?? name));

/** The same of a file. An empty one is an issue. */
export function requireSlug(
  source: ParsedContentFile<Identifiable>,
  issues: ContentIssue[],
): LocalText {
  const slug = getSlugs(source.value);
  if (LANGS.some((lang) => slug[lang] === '')) {
    const message = 'is needed: the name has no letter from which to make one';
    issues.push(createIssueAt(source, ['slug'], message));
  }
  return slug;
}

/** Every address that a thing has and had, its id first. */
export const listSlugsAndId = (id: string, value: Identifiable): ReadonlySet<string> =>
  new Set([
    id,
    ...LANGS.map((lang) => getSlugs(value)[lang]),
    ...value.former_slugs,
    ...(value.former_ids ?? []),
  ]);

/**
 * Every slug and id of one kind with its owner, the ledger's old ones too. A slug claimed twice, or
 * one that was published for another thing, is an issue: an address that was ever given keeps its
 * meaning (contract 5.6, 5.7).
 */
export function collectSlugs(
  kind: PublishedSlug['kind'],
  files: readonly ParsedContentFile<Identifiable>[],
  published: readonly PublishedSlug[],
  issues: ContentIssue[],
): PublishedSlug[] {
  const owners = new Map<string, { readonly id: string; readonly file: string }>();
  const old = new Map(
    published.filter((one) => one.kind === kind).map((one) => [one.slug, one.id]),
  );
  const live = new Set<string>();
  for (const source of files) {
    const id = getId(kind, source);
    live.add(id);
    for (const slug of listSlugsAndId(id, source.value)) {
      const other = owners.get(slug);
      const before = old.get(slug);
      const fault = other
        ? `'${slug}' is also the address of ${other.file}. Give this one a slug of its own`
        : before !== undefined && before !== id
          ? `'${slug}' was published for ${before} before and keeps leading there. Choose another`
          : null;
      if (fault === null) owners.set(slug, { id, file: source.file });
      else issues.push({ ...createIssueAt(source, ['slug'], fault), address: slug });
    }
  }
  const former = [...old].filter(([slug, id]) => !owners.has(slug) && live.has(id));
  return [...[...owners].map(([slug, { id }]) => [slug, id] as const), ...former]
    .map(([slug, id]) => ({ kind, slug, id }))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
}
