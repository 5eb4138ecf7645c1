// Public fetch: downloads URLs of strangers only from the public internet, within limits (contract 16.4).
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { downloadPublic, isPublicAddress } from '../../src/http/fetch-public.ts';
import { listenOnLocalhost } from '../fixtures/folder.ts';
import { servePictures } from '../fixtures/picture-server.ts';

const server = await servePictures();

const fetchPath = (path: string, timeout_ms = 2_000): Promise<Buffer> =>
  downloadPublic(server.toUrl(path), { allowed: [server.host], timeout_ms });

test('downloads a picture, directly or after a redirect', async () => {
  const direct = await fetchPath('/photo.jpg');
  expect(direct.length).toBeGreaterThan(1_000);
  expect((await fetchPath('/moved')).equals(direct)).toBe(true);
});

describe('downloadPublic rejects with a message', () => {
  test.each([
    ['/none.jpg', /responded with 404/],
    ['/large.jpg', /larger than 5 MB/],
    ['/stream.jpg', /larger than 5 MB/],
    ['/round', /more than 3 times/],
    ['/to-loopback', /port 1 is not allowed/],
    ['/to-metadata', /169\.254\.169\.254, which is not a public address/],
    ['/to-file', /must begin with https/],
  ])('%s', async (path, message) => {
    await expect(fetchPath(path)).rejects.toThrow(message);
  });

  test('a name that DNS never resolves, after the timeout', async () => {
    const resolve = (): Promise<never> => new Promise(() => {});
    await expect(
      downloadPublic('http://slow.example/a.jpg', { allowed: [], resolve, timeout_ms: 100 }),
    ).rejects.toThrow('within 0.1 s');
  });

  test.each([
    'http://localhost/a.jpg',
    'http://2130706433/a.jpg',
    'http://[::ffff:127.0.0.1]/a.jpg',
    'ftp://example.com/a.jpg',
    'http://user:pass@example.com/a.jpg',
    'http://example.com:22/a.jpg',
  ])('%s', async (url) => {
    await expect(downloadPublic(url, { allowed: [] })).rejects.toThrow(
      /not a public address|must|is not allowed|no address/,
    );
  });

  test('a name that resolves to a private address, even if others are public', async () => {
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '10.1.2.3'], ['::1']])
      await expect(
        downloadPublic('http://rebind.example/a.jpg', {
          allowed: [],
          resolve: async () => addresses,
        }),
      ).rejects.toThrow('not a public address');
  });
});

test.each([
  ...['0.0.0.0', '10.0.0.1', '127.0.0.1', '100.64.0.1', '169.254.169.254', '172.16.0.1'],
  ...['192.168.1.1', '192.0.2.1', '224.0.0.1', '255.255.255.255', '::', '::1', 'fd00::1'],
  ...['fe80::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', 'x', ''],
])('%j is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['93.184.216.34', '2606:2800:220:1::1'])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test('decompresses gzip within the same size limit', async () => {
  const gzip_server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync(Buffer.alloc(url === '/bomb' ? 64 * 1024 * 1024 : 9, 65)));
  });
  const host = `127.0.0.1:${await listenOnLocalhost(gzip_server)}`;
  onTestFinished(() => void gzip_server.close());
  const get = (path: string) => downloadPublic(`http://${host}${path}`, { allowed: [host] });
  expect((await get('/few')).toString()).toBe('AAAAAAAAA');
  await expect(get('/bomb')).rejects.toThrow('larger than 5 MB');
});
