// Form bodies with and without a file: valid, truncated and malformed ones.
import { describe, expect, test } from 'vitest';
import {
  isForm,
  isMultipart,
  MAX_ACCEPTED_FORM_BYTES,
  MAX_READ_FORM_BYTES,
  type MultipartLimits,
  parseForm,
  parsePartialForm,
  parseMultipart,
} from '../../src/http/form-body.ts';

test.each([
  ['application/x-www-form-urlencoded', 'form'],
  ['application/x-www-form-urlencodedx', 'neither'],
  ['multipart/form-data; boundary=x', 'with a file'],
  ['multipart/form-data', 'neither'],
  [undefined, 'neither'],
])('%s: %s', (type, kind) => {
  expect(isForm(type) ? 'form' : isMultipart(type) ? 'with a file' : 'neither').toBe(kind);
});

test('fields are decoded, repeated ones joined, and no name is special', () => {
  const fields = parseForm('a=1+2&b=%C3%B1&a=3&c&__proto__=x&%zz=%');
  expect(JSON.stringify(fields)).toBe('{"a":"1 2,3","b":"ñ","c":"","__proto__":"x","%zz":"%"}');
});

test('parsePartialForm returns the complete fields of a form that is too long', () => {
  expect(parsePartialForm(Buffer.from('a=1&b=%C3%B1'))).toEqual({ a: '1', b: 'ñ' });
  const long = `a=1&b=${'x'.repeat(MAX_READ_FORM_BYTES)}&c=2`;
  expect(parsePartialForm(Buffer.from(long))).toEqual({ a: '1' });
});

const TYPE = 'multipart/form-data; boundary=frontera';
const SIZES = { file_bytes: 1000, body_bytes: 200_000 };
const LIMITS: MultipartLimits = { file: 'picture', ...SIZES, timeout_ms: 5_000 };

type Part = readonly [name: string, value: string | Buffer, file_name?: string];
const buildPart = ([name, value, file_name]: Part): Buffer[] => [
  Buffer.from(
    `--frontera\r\nContent-Disposition: form-data; name="${name}"${file_name === undefined ? '' : `; filename="${file_name}"\r\nContent-Type: image/jpeg`}\r\n\r\n`,
  ),
  Buffer.from(value),
  Buffer.from('\r\n'),
];
const END = '--frontera--\r\n';
const buildBody = (...parts: readonly Part[]): Buffer =>
  Buffer.concat([...parts.flatMap(buildPart), Buffer.from(END)]);

async function* inChunks(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < body.length; start += size) yield body.subarray(start, start + size);
}
const read = (body: Buffer, size = 65_536, type = TYPE) =>
  parseMultipart(type, inChunks(body, size), LIMITS);

const BYTES = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 31) % 256));
const COMPLETE_BODY = buildBody(
  ['title', 'Ñandú «jazz»'],
  ['languages', 'es'],
  ['languages', 'en'],
  ['picture', BYTES, 'fotó.jpg'],
  ['step', 'send'],
);

describe('a form with a file', () => {
  test.each([1, 64, 65_536])('is read in chunks of %i bytes', async (size) => {
    expect(await read(COMPLETE_BODY, size)).toEqual({
      fields: { title: 'Ñandú «jazz»', languages: 'es,en', step: 'send' },
      file: { bytes: BYTES, is_too_large: false },
      is_whole: true,
      is_text_too_large: false,
    });
  });

  test.each<[string, readonly Part[], object, string | null]>([
    ['no file if none was chosen', [['picture', '', '']], {}, null],
    ['an empty file', [['picture', '', 'nada.jpg']], {}, ''],
    ['no file of another control', [['other', 'secret', 'a.jpg']], {}, null],
    [
      'the first of two files',
      [
        ['picture', 'first', 'a.jpg'],
        ['picture', 'second', 'b.jpg'],
      ],
      {},
      'first',
    ],
    [
      'a file of the maximum size',
      [['picture', Buffer.alloc(1000, 65), 'a.jpg']],
      {},
      'A'.repeat(1000),
    ],
    [
      'no bytes of a larger file',
      [['picture', Buffer.alloc(1001, 65), 'a.jpg']],
      { is_too_large: true },
      '',
    ],
  ])('has %s', async (_, parts, expected, text) => {
    const { fields, file, is_whole } = await read(buildBody(...parts, ['title', 'after']));
    expect([fields, is_whole]).toEqual([{ title: 'after' }, true]);
    expect(file?.bytes.toString() ?? null).toBe(text);
    if (file) expect(file).toMatchObject(expected);
  });
});

describe('a malformed form', () => {
  test('truncated anywhere is incomplete, and has the fields before that point', async () => {
    for (let end = 0; end < COMPLETE_BODY.length - 20; end += 40)
      expect((await read(COMPLETE_BODY.subarray(0, end), 50)).is_whole, String(end)).toBe(false);
    const { fields } = await read(COMPLETE_BODY.subarray(0, COMPLETE_BODY.length - 300));
    expect(fields).toEqual({ title: 'Ñandú «jazz»', languages: 'es,en' });
  });

  test.each([
    ['no boundary', COMPLETE_BODY, 'multipart/form-data; charset=utf-8'],
    ['no header', Buffer.from(`--frontera\r\nno header at all\r\n\r\nx\r\n${END}`), TYPE],
    ['many headers', Buffer.from(`--frontera\r\n${'a: b\r\n'.repeat(5000)}\r\nx\r\n${END}`), TYPE],
  ])('with %s has no fields', async (_, body, type) => {
    expect((await read(body, 65_536, type)).fields).toEqual({});
  });

  test('with too many parts is incomplete', async () => {
    const parts = Array.from({ length: 700 }, (_, index): Part => [`a${index}`, 'x']);
    const form = await read(buildBody(...parts));
    expect([form.is_whole, Object.keys(form.fields).length]).toEqual([false, 600]);
  });

  test('with too much text is reported', async () => {
    const half: Part = ['a', 'x'.repeat(MAX_ACCEPTED_FORM_BYTES / 2)];
    expect(await read(buildBody(half, half, ['title', 'x']))).toMatchObject({
      ...{ fields: { title: 'x' }, is_text_too_large: true },
    });
    const largest = await read(buildBody(['a', 'x'.repeat(MAX_ACCEPTED_FORM_BYTES - 1)]));
    expect(largest.is_text_too_large).toBe(false);
  });

  test('without end is aborted, and has the fields before that point', async () => {
    let chunk_count = 0;
    const beginning = buildBody(['title', 'x'], ['picture', 'y', 'a.jpg']).subarray(
      0,
      -END.length - 2,
    );
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield beginning;
      for (; ; chunk_count++) {
        await new Promise((resolve) => setImmediate(resolve));
        yield Buffer.alloc(10_000, 7);
      }
    }
    expect(await parseMultipart(TYPE, endless(), LIMITS)).toMatchObject({
      ...{ fields: { title: 'x' }, file: { is_too_large: true }, is_whole: false },
    });
    expect(chunk_count).toBeLessThan(30);
  });

  test('that stalls is aborted after the timeout, and a broken connection throws', async () => {
    async function* sendBeginning(then: () => Promise<void>): AsyncGenerator<Uint8Array> {
      yield COMPLETE_BODY.subarray(0, 300);
      await then();
    }
    const stalled = sendBeginning(() => new Promise(() => {}));
    const form = await parseMultipart(TYPE, stalled, { ...LIMITS, timeout_ms: 100 });
    expect(form).toMatchObject({ is_whole: false, fields: { title: 'Ñandú «jazz»' } });
    const broken = sendBeginning(() => Promise.reject(new Error('ECONNRESET')));
    await expect(parseMultipart(TYPE, broken, LIMITS)).rejects.toThrow('ECONNRESET');
  });
});
