// A client as somebody would write it, on types that openapi-typescript made of /api/openapi.json: run with the address
// of a server, it prints what it learnt as JSON. What its types must refuse is marked as an expected error, so that a
// description which says too little does not compile either.
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

const [, , origin = ''] = process.argv;
const client = createClient<paths>({ baseUrl: origin });

async function listTitles(): Promise<readonly string[]> {
  const { data, error } = await client.GET('/api/v1/events', {
    params: { query: { date: 'weekend', limit: 3, free: '1', lang: 'en' } },
  });
  if (error) throw new Error(error.error.message);
  // @ts-expect-error A title is no number.
  data.data.map(({ title }): number => title);
  return data.data.map(({ title, next }) => `${title} ${next?.date ?? ''}`);
}

async function findFault(id: string): Promise<readonly [number, string]> {
  const { data, error, response } = await client.GET('/api/v1/venues/{slug}', {
    params: { path: { slug: id } },
  });
  if (data) throw new Error(`there is a venue ${data.data.name}`);
  return [response.status, error.error.code];
}

/** Never called: it holds what must not compile. */
export async function refuse(): Promise<void> {
  // @ts-expect-error There is no such path.
  await client.GET('/api/v1/happenings');
  // @ts-expect-error It has an identifier.
  await client.GET('/api/v1/events/{idOrSlug}');
  // @ts-expect-error There is no such parameter.
  await client.GET('/api/v1/events', { params: { query: { page: 2 } } });
  // @ts-expect-error Two languages are spoken.
  await client.GET('/api/v1/zones', { params: { query: { lang: 'fr' } } });
  // @ts-expect-error Reading is all there is.
  await client.POST('/api/v1/events');
  // @ts-expect-error There is no such code.
  const _: components['schemas']['Error']['error']['code'] = 'teapot';
}

console.log(JSON.stringify({ titles: await listTitles(), fault: await findFault('nada') }));
