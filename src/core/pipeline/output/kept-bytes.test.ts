import { expect, test } from 'vitest'
import { contentOutput, isContentOutput } from '../../kernel/content.ts'
import type { JsonValue } from '../../kernel/tool.ts'
import { keepBytes, listKept, withBytes } from './kept-bytes.ts'

function createKeeping(maxArtifactBytes = 1_000_000) {
  const kept = new Map<string, Uint8Array>()
  const keeping = {
    tenant: 'default',
    callId: 'call_1',
    maxArtifactBytes,
    artifacts: {
      async put(
        _tenant: string,
        _callId: string,
        content: { mediaType: string; bytes?: Uint8Array },
      ) {
        const id = `art_${kept.size + 1}`
        kept.set(id, content.bytes ?? new Uint8Array())
        return { id, bytes: content.bytes?.length ?? 0, mediaType: content.mediaType }
      },
    },
  }
  return { kept, keeping }
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const large = toBase64(new Uint8Array(20_000).fill(9))
const blob = { uri: 'x://y', mimeType: 'application/zip', blob: large }

const output = contentOutput(
  [
    { type: 'text', text: 'beside' },
    { type: 'image', data: large, mimeType: 'image/png' },
    { type: 'image', data: 'AAAA', mimeType: 'image/gif' },
    { type: 'resource', resource: blob },
  ],
  { count: 2 },
) as unknown as JsonValue

test('large bytes are stored separately and read back unchanged', async () => {
  const { kept, keeping } = createKeeping()
  const stored = (await keepBytes(output, keeping)) as unknown
  expect(JSON.stringify(stored).length).toBeLessThan(1000)
  expect(listKept(stored)).toEqual([
    { id: 'art_1', bytes: 20_000, mediaType: 'image/png' },
    { id: 'art_2', bytes: 20_000, mediaType: 'application/zip' },
  ])
  expect(isContentOutput(stored)).toBe(true)
  if (!isContentOutput(stored)) return
  const read = async ({ id }: { id: string }) => toBase64(kept.get(id) ?? new Uint8Array())
  expect(await withBytes(stored, read)).toEqual(output)
})

test('bytes that are too large or could not be stored are replaced by a notice', async () => {
  const { keeping } = createKeeping(100)
  const stored = (await keepBytes(output, keeping)) as unknown as { $content: unknown[] }
  expect(stored.$content[1]).toEqual({
    type: 'text',
    text: '20000 bytes of image/png were left out: the limit is 100 bytes',
  })
  const put = () => Promise.reject(new Error('the disk is full'))
  const failing = { ...createKeeping().keeping, artifacts: { put } }
  const lost = (await keepBytes(output, failing)) as unknown as { $content: unknown[] }
  expect(lost.$content[3]).toEqual({
    type: 'text',
    text: '20000 bytes of application/zip could not be kept: the disk is full',
  })
})

test('values that are not content or not base64 are left alone', async () => {
  const { keeping, kept } = createKeeping()
  const odd = contentOutput([{ type: 'image', data: '#'.repeat(9000), mimeType: 'image/png' }])
  for (const value of ['text', { $content: 1 }, odd as unknown as JsonValue]) {
    expect(await keepBytes(value, keeping)).toEqual(value)
  }
  expect(kept.size).toBe(0)
})
