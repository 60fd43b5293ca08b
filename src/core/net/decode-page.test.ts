import { expect, test } from 'vitest'
import { decodePage, mediaTypeOf } from './decode-page.ts'

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((char) => char.charCodeAt(0)) : part,
    ),
  )

test('the header names the charset', () => {
  expect(decodePage(bytes('caf', [0xe9, 0x80]), 'text/html; charset=windows-1252')).toBe('café€')
  expect(decodePage(bytes([0x83, 0x65, 0x83, 0x58]), 'text/html;charset="Shift_JIS"')).toBe('テス')
  expect(decodePage(bytes([0xc4, 0xe3, 0xba, 0xc3]), 'text/html; Charset = gb2312')).toBe('你好')
})

test('a meta element or an XML declaration names it where the header does not', () => {
  const meta =
    '<html><head><meta http-equiv="content-type" content="text/html; charset=iso-8859-2">'
  expect(decodePage(bytes(meta, [0xb1]), 'text/html')).toBe(`${meta}ą`)
  expect(decodePage(bytes("<meta charset='koi8-r'>", [0xc1]))).toBe("<meta charset='koi8-r'>а")
  const xml = '<?xml version="1.0" encoding="windows-1251"?>'
  expect(decodePage(bytes(xml, [0xe0]))).toBe(`${xml}а`)
  // The header wins.
  expect(decodePage(bytes('<meta charset=koi8-r>', [0xc3, 0xa9]), 'a/b; charset=utf-8')).toContain(
    'é',
  )
})

test('a byte order mark decides before everything else, and is not part of the text', () => {
  expect(decodePage(bytes([0xff, 0xfe, 0x61, 0, 0xe4, 0]), 'text/html; charset=utf-8')).toBe('aä')
  expect(decodePage(bytes([0xfe, 0xff, 0, 0x61]))).toBe('a')
  expect(decodePage(bytes([0xef, 0xbb, 0xbf, 0x61]), 'text/html; charset=latin1')).toBe('a')
})

test('charsets that do not exist, and bytes that do not fit, leave readable text', () => {
  expect(decodePage(bytes([0xc3, 0xa9]), 'text/html; charset=utf-9000')).toBe('é')
  expect(decodePage(bytes('<meta charset=utf-16>ok'))).toBe('<meta charset=utf-16>ok')
  expect(decodePage(bytes('a', [0xff], 'b'))).toBe('a\uFFFDb')
  expect(decodePage(bytes())).toBe('')
})

test('a media type has no parameters', () => {
  expect(mediaTypeOf('Text/HTML ; charset=x')).toBe('text/html')
  expect(mediaTypeOf(null)).toBe('')
})
