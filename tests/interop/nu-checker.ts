// The pages of a running server read by the Nu Html Checker, in a process of its own.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';

const run = promisify(execFile);
const PACKAGE = 'vnu-jar@26.9.27';
const MOST_PAGES = 2_000;
const OUTPUT_BYTES = 256 * 1024 * 1024;

/** What it takes for a fault because it does not know it yet, or does not know why. */
const UNKNOWN: readonly RegExp[] = [
  // CSS Containment 3 and SVG 2, which its reader of CSS has not learnt.
  /^CSS: .*(@container|container-type|vector-effect)/,
  // WebMCP: how an assistant fills in the form.
  /^Attribute “tool(name|description|paramdescription)” not allowed/,
  // A list without bullets is no list to Safari's reader; the role says that it is one.
  /^The “list” role is unnecessary/,
];

const MessagesSchema = v.object({
  messages: v.array(
    v.object({
      url: v.string(),
      message: v.string(),
      extract: v.optional(v.string(), ''),
    }),
  ),
});

/** The addresses of its sitemap, what today leads to, the frame, and one where nothing is. */
async function listPaths(base_url: string): Promise<readonly string[]> {
  const read = async (path: string): Promise<string> => (await fetch(base_url + path)).text();
  const listed = [...(await read('/sitemap.xml')).matchAll(/<loc>([^<]+)/g)].map(
    ([, address = '']) => new URL(address).pathname,
  );
  const linked = [...(await read('/hoy')).matchAll(/\shref="(\/[^"#]*)"/g)]
    .map(([, path = '']) => path.replaceAll('&amp;', '&').replaceAll('&#38;', '&'))
    .filter((path) => !/\.\w+(\?|$)/.test(path));
  const others = ['/embed?theme=dark', '/en/embed', '/buscar?q=zzz', '/404', '/en/404'];
  return [...new Set([...listed, ...linked, ...others])].slice(0, MOST_PAGES);
}

/** Reads them all; each fault says the page, what is wrong and the place. */
export async function checkPages(
  base_url: string,
): Promise<{ readonly pages: number; readonly faults: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'nu-'));
  try {
    const paths = await listPaths(base_url);
    for (const [at, path] of paths.entries()) {
      const answer = await fetch(base_url + path, { headers: { accept: 'text/html' } });
      writeFileSync(join(folder, `${at}.html`), await answer.text());
    }
    const checker = ['exec', '--yes', '--ignore-scripts', `--package=${PACKAGE}`, '--', 'vnu'];
    const args = [...checker, '--format', 'json', '--stdout', '--exit-zero-always', folder];
    const { stdout } = await run('npm', args, { maxBuffer: OUTPUT_BYTES });
    const { messages } = v.parse(MessagesSchema, JSON.parse(stdout));
    const faults = messages
      .filter(({ message }) => !UNKNOWN.some((known) => known.test(message)))
      .map(({ url, message, extract }) => {
        const [, at = ''] = /(\d+)\.html$/.exec(url) ?? [];
        return `${paths[Number(at)] ?? url}: ${message} (${extract.replace(/\s+/g, ' ')})`;
      });
    return { pages: paths.length, faults };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
