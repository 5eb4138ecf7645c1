// Submitted links: normalization, file names and misleading links (contract 14.19).
import { expect, test } from 'vitest';
import {
  hasMisleadingLink,
  isFileName,
  normalizeUrl,
} from '../../../src/domain/submission/links.ts';

test.each([
  ['@colectivo.jazz', 'https://www.instagram.com/colectivo.jazz/'],
  ['FB colectivo', 'https://www.facebook.com/colectivo'],
  ['tiktok/colectivo', 'https://www.tiktok.com/@colectivo'],
  ['colectivo.mx/fiesta', 'https://colectivo.mx/fiesta'],
  ['IMG_2034.jpg', 'IMG_2034.jpg'],
  ['colectivo', 'colectivo'],
  ['hola@colectivo.mx', 'hola@colectivo.mx'],
  ['@соlectivo', '@соlectivo'],
])('%s is normalized to %s', (text, address) => {
  expect(normalizeUrl(text)).toBe(address);
});

test.each([
  ['https://IMG_2034.jpg', true],
  ['cartel.final.PDF', true],
  ['https://fotos.example/IMG_2034.jpg', false],
])('%s is the name of a file: %s', (text, is_file) => {
  expect(isFileName(text)).toBe(is_file);
});

test.each([
  ['Boletos en https://www.paypal.com@mala.example/x', true],
  ['https://раypal.com', true],
  ['https://evil.example\\a.mx/', true],
  ['https://ɡoogle.com', true],
  ['https://%65vil.example', true],
  ['https://señor.mx/ñ?q=пример', false],
  ['https://colectivo.mx:8080/@colectivo', false],
])('%s misleads: %s', (text, misleads) => {
  expect(hasMisleadingLink([text])).toBe(misleads);
});
