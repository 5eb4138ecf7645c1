// Typed client: calls a server, given its address, with types generated from /api/openapi.json, and prints the results
// as JSON. Calls that the types must reject are marked as expected errors, so an imprecise description does not compile.
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

const [, , origin = ''] = process.argv;
const client = createClient<paths>({ baseUrl: origin });

async function listTitles(): Promise<readonly string[]> {
  const { data, error } = await client.GET('/api/v1/events', {
    params: { query: { date: 'weekend', limit: 3, free: '1', lang: 'en' } },
  });
  if (error) throw new Error(error.error.message);
  // @ts-expect-error A title is not a number.
  data.data.map(({ title }): number => title);
  return data.data.map(({ title, next }) => `${title} ${next?.date ?? ''}`);
}

async function fetchError(id: string): Promise<readonly [number, string]> {
  const { data, error, response } = await client.GET('/api/v1/venues/{slug}', {
    params: { path: { slug: id } },
  });
  if (data) throw new Error(`unexpected venue ${data.data.name}`);
  return [response.status, error.error.code];
}

/** Never called: contains calls that must not compile. */
export async function rejectedCalls(): Promise<void> {
  // @ts-expect-error Unknown path.
  await client.GET('/api/v1/happenings');
  // @ts-expect-error The path parameter is missing.
  await client.GET('/api/v1/events/{idOrSlug}');
  // @ts-expect-error Unknown parameter.
  await client.GET('/api/v1/events', { params: { query: { page: 2 } } });
  // @ts-expect-error Unknown language.
  await client.GET('/api/v1/zones', { params: { query: { lang: 'fr' } } });
  // @ts-expect-error Only GET is allowed.
  await client.POST('/api/v1/events');
  // @ts-expect-error Unknown error code.
  const _: components['schemas']['Error']['error']['code'] = 'teapot';
}

console.log(JSON.stringify({ titles: await listTitles(), fault: await fetchError('nada') }));
