// Addresses for what came through the inbox: its name's slug, or with its reference where that one
// belongs to another.
import { toSlug } from '../../domain/folding.ts';
import { LANGS, type LocalText } from '../../domain/lang.ts';
import type { Ledger, PublishedSlug } from '../../domain/ledger.ts';
import { idOf } from '../identity.ts';
import type { ContentFile } from '../read-file.ts';

/** Room for `-hc-7k3m9q` within the 80 characters of a slug. */
const MAX_NAME = 69;

interface Named {
  readonly id?: string | undefined;
  readonly slug?: LocalText | undefined;
  readonly former_slugs: readonly string[];
}

/**
 * Gives a thing its slug and remembers it: `(id, wanted, reference)`. An empty wish gives the
 * reference alone.
 */
export function createSlugRegister<T extends Named>(
  kind: PublishedSlug['kind'],
  files: readonly ContentFile<T>[],
  toName: (value: T) => LocalText,
  ledger: Ledger,
): (id: string, wanted: string, reference: string) => string {
  const owners = new Map(
    ledger.slugs.filter((slug) => slug.kind === kind).map((slug) => [slug.slug, slug.id]),
  );
  for (const file of files) {
    const id = idOf(kind, file);
    const { slug } = file.value;
    const name = toName(file.value);
    const own = LANGS.map((lang) => (slug ? slug[lang] : toSlug(name[lang])));
    for (const slug of [id, ...own, ...file.value.former_slugs]) owners.set(slug, id);
  }
  return (id, wanted, reference) => {
    const tail = reference.toLowerCase();
    const is_free = wanted !== '' && (owners.get(wanted) ?? id) === id;
    const slug = is_free
      ? wanted
      : [wanted.slice(0, MAX_NAME).replace(/-+$/, ''), tail]
          .filter((part) => part !== '')
          .join('-');
    owners.set(slug, id);
    return slug;
  };
}
