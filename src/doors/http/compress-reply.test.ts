import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressReply } from './compress-reply.ts'
import { json } from './reply.ts'
import type { HttpRequest } from './request/http-request.ts'

const long = { items: Array.from({ length: 400 }, (_, index) => ({ index, name: 'ü a call' })) }

function asked(accepts: string | undefined, method = 'GET'): HttpRequest {
  return { method, header: () => accepts } as unknown as HttpRequest
}

test('a long answer is compressed for clients that accept it', async () => {
  const plain = json(200, long, ['etag', 'x'])
  const packed = await compressReply(plain, asked('br, gzip;q=0.8'))
  expect(packed.headers).toEqual([
    'etag',
    'x',
    'vary',
    'accept-encoding',
    'content-encoding',
    'gzip',
  ])
  expect(gunzipSync(packed.body as Uint8Array).toString()).toBe(plain.body)
  expect((packed.body as Uint8Array).length).toBeLessThan((plain.body as string).length / 5)
})

test.each(['', undefined, 'br', 'gzip;q=0', 'identity, gzip; q=0.0'])(
  'it stays as it is for %s',
  async (accepts) => {
    const plain = json(200, long)
    expect(await compressReply(plain, asked(accepts))).toEqual({
      ...plain,
      headers: ['vary', 'accept-encoding'],
    })
  },
)

test('short answers, answers to changes and those that are not JSON stay as they are', async () => {
  const short = json(200, { a: 1 })
  expect(await compressReply(short, asked('gzip'))).toBe(short)
  const changed = json(200, long)
  expect(await compressReply(changed, asked('gzip', 'POST'))).toBe(changed)
  const file = { ...json(200, long), type: 'text/csv' }
  expect(await compressReply(file, asked('gzip'))).toBe(file)
})
