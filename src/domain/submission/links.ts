// What people write where a link is wanted: an address, one without its scheme, a name on a social
// network; and what only looks like a link, or like another one than it is.

/** What people call a network before a name, and where that name is a page there. */
const NETWORKS: readonly (readonly [called: RegExp, page: string])[] = [
  [/^(instagram|insta|ig)$/, 'https://www.instagram.com/{name}/'],
  [/^(facebook|face|fb)$/, 'https://www.facebook.com/{name}'],
  [/^tiktok$/, 'https://www.tiktok.com/@{name}'],
  [/^(youtube|yt)$/, 'https://www.youtube.com/@{name}'],
  [/^(x|twitter)$/, 'https://x.com/{name}'],
  [/^threads$/, 'https://www.threads.net/@{name}'],
];

/** Endings of files that are no endings of sites. */
const FILE_NAME =
  /\.(jpe?g|png|gif|webp|hei[cf]|avif|bmp|tiff?|svg|pdf|docx?|pptx?|xlsx?|mp[34]|m4[av]|wav|txt|html?)\.?$/i;

/**
 * `@colectivo`, `fb: @colectivo`, `tiktok/colectivo`: the address of that page; a name alone is on
 * Instagram. Null for what is no name.
 */
function readHandle(text: string): string | null {
  const [, named = '', at, name = ''] =
    /^(?:([a-z]+)\s*[:/ ]\s*)?(@?)([\p{L}\p{N}_][\w.-]{1,59})$/iu.exec(text) ?? [];
  const called = named === '' && at === '@' ? 'instagram' : named.toLowerCase();
  const [, page] = NETWORKS.find(([names]) => names.test(called)) ?? [];
  return page !== undefined && /^[\w.-]+$/.test(name) ? page.replace('{name}', name) : null;
}

/** `colectivo.mx/fiesta` and `@colectivo` are what people write; what is neither stays as it is. */
export function normalizeUrl(text: string): string {
  const handle = readHandle(text);
  if (handle !== null) return handle;
  return /^[\w-]+(\.[\w-]+)+([/?#]|$)/.test(text) && !isFileName(text) ? `https://${text}` : text;
}

/** `IMG_2034.jpg`, with or without `https://`: a file of somebody's own, and no site. */
export const isFileName = (text: string): boolean =>
  FILE_NAME.test(text.replace(/^https?:\/\//i, '').replace(/[/?#:].*$/, ''));

/**
 * Whether a site is written with letters that look like others (Cyrillic, Greek, the Latin ones that no
 * name of a site here has), or with a name before an @ or a backslash, which is not where it leads.
 */
function isMisleading(link: string): boolean {
  const [site = ''] = link.replace(/^https?:\/\//i, '').split(/[/?#]/);
  return site.includes('@') || /(^|\.)xn--/i.test(site) || /[^a-záéíóúüñç\d.:-]/iu.test(site);
}

/** Whether any of these texts has a link that leads elsewhere than it seems to. */
export const hasMisleadingLink = (texts: readonly (string | null)[]): boolean =>
  texts.some((text) =>
    [...(text ?? '').matchAll(/https?:\/\/[^\s<>"]+/gi)].some(([link]) => isMisleading(link)),
  );
