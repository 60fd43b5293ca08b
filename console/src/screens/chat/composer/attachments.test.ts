import { expect, test } from 'vitest'
import { mediaTypeOf, formatBytes, toFilePart, whyNotAttach } from './attachments.ts'

test('the media type of a file is its own, or follows from its name', () => {
  expect(mediaTypeOf({ name: 'a.png', type: 'image/png' })).toBe('image/png')
  expect(mediaTypeOf({ name: 'notes.md', type: '' })).toBe('text/markdown')
  expect(mediaTypeOf({ name: 'a.txt', type: 'text/plain;charset=utf-8' })).toBe('text/plain')
  expect(mediaTypeOf({ name: 'a.svg', type: 'image/svg+xml' })).toBeUndefined()
  expect(mediaTypeOf({ name: 'run.exe', type: 'application/x-msdownload' })).toBeUndefined()
})

test('a file that can’t be attached comes with a reason', () => {
  expect(whyNotAttach({ name: 'page.html', type: 'text/html', size: 9 })).toContain(
    'not a type agents can read',
  )
  expect(whyNotAttach({ name: 'a.pdf', type: 'application/pdf', size: 20_000_000 })).toBe(
    'a.pdf is 20.0 MB; the limit is 10 MB.',
  )
  expect(whyNotAttach({ name: 'a.txt', type: 'text/plain', size: 0 })).toBe('a.txt is empty.')
  expect(whyNotAttach({ name: 'a.txt', type: 'text/plain', size: 1 })).toBeUndefined()
})

test('a file is sent as its bytes, under the type that was checked', async () => {
  const file = new File([new Uint8Array([0xff, 0x00, 0x41])], 'a.md', { type: '' })
  const attachment = {
    id: '1',
    name: 'a.md',
    mediaType: 'text/markdown',
    size: 3,
    file,
    preview: undefined,
  }
  expect(await toFilePart(attachment)).toEqual({
    type: 'file',
    mediaType: 'text/markdown',
    filename: 'a.md',
    url: 'data:text/markdown;base64,/wBB',
  })
  expect([formatBytes(12), formatBytes(12_345), formatBytes(1_400_000)]).toEqual([
    '12 B',
    '12 KB',
    '1.4 MB',
  ])
})
