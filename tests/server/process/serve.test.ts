// What the log gets of an address.
import { expect, test } from 'vitest';
import { toLoggedPath } from '../../../src/server/process/serve.ts';

test.each([
  ['/hoy?q=my+name', '/hoy'],
  ['/en/submit/status/s3cret?x', '/en/submit/status/'],
  ['/%70ublicar/estado%2Fs3cret', '/publicar/estado/'],
  ['/PUBLICAR/Estado/s3cret', '/publicar/estado/'],
  ['/hoy%zz', '/hoy%zz'],
  [`/${'a'.repeat(300)}`, `/${'a'.repeat(199)}`],
])('%s is logged as %s', (url, logged) => {
  expect(toLoggedPath(url)).toBe(logged);
});
