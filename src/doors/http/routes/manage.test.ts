import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bearer, useDoors } from '../testing/open-door.ts'
import { wholeCharacters } from '../../../core/kernel/text/utf8.ts'

const openNext = useDoors()
const call = (tool: string) => `/api/v1/tools/${tool}/calls`

test('tools are listed with their filters and read under either name', async () => {
  const { ask } = openNext()
  const { items } = (await (await ask('GET', '/api/v1/tools?pack=billing')).json()) as {
    items: unknown[]
  }
  expect(items).toEqual([
    {
      name: 'billing.refund',
      wireName: 'billing_refund',
      title: 'Billing refund',
      description: 'Refunds an invoice, if a person approves.',
      effect: 'destructive',
      pack: 'billing',
      source: 'code',
      state: 'ready',
      asks: true,
    },
  ])
  const byName = await (await ask('GET', '/api/v1/tools/mcp:docs:search')).json()
  expect(byName).toMatchObject({
    name: 'mcp:docs:search',
    inputSchema: { type: 'object' },
    fields: [],
  })
  expect(byName).toEqual(await (await ask('GET', '/api/v1/tools/mcp%3Adocs%3Asearch')).json())
  expect(byName).toEqual(await (await ask('GET', '/api/v1/tools/mcp_docs_search')).json())
  expect((await ask('GET', '/api/v1/tools?q=')).status).toBe(200)
})

test.each(['/api/v1/tools/nope', '/api/v1/tools/a%00b', `/api/v1/tools/${'x'.repeat(300)}`])(
  'an impossible name of a tool is not found: %s',
  async (path) => {
    const response = await openNext().ask('GET', path)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'tool_not_found' })
  },
)

test('a call of another tenant and one that never was look the same', async () => {
  const { ask, keys } = openNext()
  const made = await ask('POST', call('text.echo'), { body: {} })
  const { callId } = (await made.json()) as { callId: string }
  const never = 'call_01990000000070008000000000000001'
  const foreign = { headers: bearer(keys.other) }
  for (const [method, path] of [
    ['GET', '/api/v1/calls/ID'],
    ['GET', '/api/v1/calls/ID/artifact'],
    ['POST', '/api/v1/calls/ID/cancel'],
    ['POST', '/api/v1/calls/ID/rerun'],
    ['GET', '/api/v1/events?callId=ID'],
  ] as const) {
    const ofOthers = await ask(method, path.replace('ID', callId), foreign)
    const missing = await ask(method, path.replace('ID', never), foreign)
    expect([ofOthers.status, missing.status]).toEqual([404, 404])
    const strip = (text: string) => text.replaceAll(/(?:call|req)_\w+/g, '')
    expect(strip(await ofOthers.text())).toBe(strip(await missing.text()))
  }
})

test('a call is read, waited for, listed, cancelled once, and made again', async () => {
  const { ask } = openNext()
  const made = await ask('POST', call('time.pause'), {
    body: { input: { ms: 40 } },
    headers: { prefer: 'respond-async' },
  })
  const { callId } = (await made.json()) as { callId: string }
  const path = `/api/v1/calls/${callId}`
  expect(await (await ask('GET', path)).json()).toMatchObject({
    status: expect.stringMatching(/^(?:queued|running)$/),
  })
  const waited = await (await ask('GET', `${path}?wait=30`)).json()
  expect(waited).toMatchObject({
    callId,
    status: 'completed',
    output: 'rested',
    tool: 'time.pause',
  })
  const cancel = await ask('POST', `${path}/cancel`)
  expect(cancel.status).toBe(409)
  expect(await cancel.json()).toMatchObject({ code: 'already_settled' })
  const again = await ask('POST', `${path}/rerun`, { body: { input: { ms: 1 } } })
  expect(await again.json()).toEqual({
    callId: expect.not.stringContaining(callId),
    status: 'completed',
    output: 'rested',
  })
  const same = await ask('POST', `${path}/rerun`, {
    headers: { prefer: 'respond-async' },
  })
  expect(same.status).toBe(202)
  const listed = (await (await ask('GET', '/api/v1/calls?tool=time.pause')).json()) as {
    items: unknown[]
  }
  expect(listed.items.length).toBeGreaterThanOrEqual(2)
})

test('waiting is bounded, and ends when the client leaves', async () => {
  const { ask, api } = openNext({ limits: { maxWaitSeconds: 0.05 } })
  const made = await ask('POST', call('time.forever'), {
    body: {},
    headers: { prefer: 'respond-async' },
  })
  const { callId } = (await made.json()) as { callId: string }
  const path = `/api/v1/calls/${callId}?wait=3600`
  expect(await (await ask('GET', path)).json()).toMatchObject({
    status: expect.stringMatching(/^(?:queued|running)$/),
  })
  const leave = new AbortController()
  let signal: AbortSignal | undefined
  const { runOperation } = api
  api.runOperation = (name, caller, request) => {
    signal = request.signal
    return runOperation(name, caller, request)
  }
  const waiting = ask('GET', path, { signal: leave.signal })
  leave.abort()
  await waiting
  expect(signal?.aborted).toBe(true)
})

test('an artifact comes as bytes with their place, or as text in JSON', async () => {
  const { ask } = openNext()
  const text = `${'grüße '.repeat(10_000)}ß`
  const made = await ask('POST', call('text.echo'), { body: { input: { text } } })
  const { callId, artifact } = (await made.json()) as { callId: string; artifact: { id: string } }
  const whole = JSON.stringify({ text })
  const size = Buffer.byteLength(whole)
  const path = `/api/v1/calls/${callId}/artifact`
  const bytes = await ask('GET', `${path}?offset=9&limit=3`)
  expect(bytes.status).toBe(200)
  expect(bytes.headers.get('content-range')).toBe(`bytes 9-11/${size}`)
  expect(bytes.headers.get('content-type')).toBe('application/json')
  expect(bytes.headers.get('content-disposition')).toBe(`attachment; filename="${artifact.id}"`)
  expect(bytes.headers.get('content-security-policy')).toContain('sandbox')
  expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(
    new TextEncoder().encode(whole).slice(9, 12),
  )
  const beyond = await ask('GET', `${path}?offset=${size + 1}`)
  expect(beyond.headers.get('content-range')).toBe(`bytes */${size}`)

  let read = ''
  let offset: number | undefined = size - 20
  while (offset !== undefined) {
    const page = (await (
      await ask('GET', `${path}?offset=${offset}&limit=3`, {
        headers: { accept: 'application/json' },
      })
    ).json()) as { text: string; next?: number }
    read += page.text
    offset = page.next
  }
  expect(read).toBe(
    Buffer.from(whole)
      .subarray(size - 20)
      .toString(),
  )
})

test('a page of an artifact is never cut inside a character, and always moves on', () => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .map((value) => value.toWellFormed())
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 9 }), (value, size) => {
      const bytes = new TextEncoder().encode(value)
      let read = ''
      for (let at = 0; at < bytes.length;) {
        const chunk = bytes.subarray(at, at + size)
        const length = at + chunk.length >= bytes.length ? chunk.length : wholeCharacters(chunk)
        if (length === 0) throw new Error('it does not move on')
        read += decoder.decode(chunk.subarray(0, length))
        at += length
      }
      return read === value
    }),
  )
})

test('explain answers for one tool, and a key that is bound to an agent asks for no other', async () => {
  const { ask, keys } = openNext()
  expect(await (await ask('GET', '/api/v1/explain?tool=text.echo')).json()).toMatchObject({
    items: [{ tool: 'text.echo', visible: true, verdict: 'allow' }],
  })
  const headers = bearer(keys.bound)
  for (const path of ['/api/v1/tools', '/api/v1/tools/text.echo', '/api/v1/explain']) {
    expect((await ask('GET', `${path}?agent=support`, { headers })).status).toBe(200)
    const other = await ask('GET', `${path}?agent=sales`, { headers })
    expect(other.status).toBe(403)
    expect(await other.json()).toMatchObject({ code: 'forbidden' })
  }
})
