import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDoor } from '../testing/open-door.ts'
import { wholeCharacters } from '../../../core/kernel/text/utf8.ts'

const call = (tool: string) => `/api/v1/tools/${tool}/calls`

test('tools are listed with their filters and read under either name', async () => {
  const { ask } = openDoor()
  const { items } = (await (await ask('GET', '/api/v1/tools?pack=billing')).json()) as {
    items: unknown[]
  }
  expect(items).toEqual([
    {
      name: 'billing.refund',
      wireName: 'billing_refund',
      title: 'billing.refund',
      description: 'What billing.refund does.',
      effect: 'destructive',
      pack: 'billing',
      source: 'code',
      state: 'ready',
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
    const response = await openDoor().ask('GET', path)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'tool_not_found' })
  },
)

test('a call of another tenant and one that never was look the same', async () => {
  const { ask } = openDoor()
  await ask('POST', call('text.echo'), { body: {} })
  const foreign = { headers: { authorization: 'Bearer crib_other' } }
  for (const [method, path] of [
    ['GET', '/api/v1/calls/ID'],
    ['GET', '/api/v1/calls/ID/artifact'],
    ['POST', '/api/v1/calls/ID/cancel'],
    ['POST', '/api/v1/calls/ID/rerun'],
    ['GET', '/api/v1/events?callId=ID'],
  ] as const) {
    const ofOthers = await ask(method, path.replace('ID', 'call_1'), foreign)
    const missing = await ask(method, path.replace('ID', 'call_9'), foreign)
    expect([ofOthers.status, missing.status]).toEqual([404, 404])
    const strip = (text: string) => text.replaceAll(/call_\d|req_\w+/g, '')
    expect(strip(await ofOthers.text())).toBe(strip(await missing.text()))
  }
})

test('a call is read, waited for, listed, cancelled once, and made again', async () => {
  const { ask } = openDoor()
  await ask('POST', call('time.pause'), {
    body: { input: { ms: 40 } },
    headers: { prefer: 'respond-async' },
  })
  expect(await (await ask('GET', '/api/v1/calls/call_1')).json()).toMatchObject({
    status: 'running',
  })
  const waited = await (await ask('GET', '/api/v1/calls/call_1?wait=5')).json()
  expect(waited).toMatchObject({
    callId: 'call_1',
    status: 'completed',
    output: 'rested',
    tool: 'time.pause',
  })
  const cancel = await ask('POST', '/api/v1/calls/call_1/cancel')
  expect(cancel.status).toBe(409)
  expect(await cancel.json()).toMatchObject({ code: 'already_settled' })
  const again = await ask('POST', '/api/v1/calls/call_1/rerun', { body: { input: { ms: 1 } } })
  expect(await again.json()).toEqual({ callId: 'call_2', status: 'completed', output: 'rested' })
  const same = await ask('POST', '/api/v1/calls/call_1/rerun', {
    headers: { prefer: 'respond-async' },
  })
  expect(same.status).toBe(202)
  const listed = (await (await ask('GET', '/api/v1/calls?tool=time.pause')).json()) as {
    items: unknown[]
  }
  expect(listed.items).toHaveLength(3)
})

test('waiting is bounded, and ends when the client leaves', async () => {
  const { ask, crib } = openDoor({ limits: { maxWaitSeconds: 0.05 } })
  await ask('POST', call('time.forever'), { body: {}, headers: { prefer: 'respond-async' } })
  expect(await (await ask('GET', '/api/v1/calls/call_1?wait=3600')).json()).toMatchObject({
    status: 'running',
  })
  const leave = new AbortController()
  let signal: AbortSignal | undefined
  const { runOperation } = crib.api
  crib.api.runOperation = (name, caller, request) => {
    signal = request.signal
    return runOperation(name, caller, request)
  }
  const waiting = ask('GET', '/api/v1/calls/call_1?wait=3600', { signal: leave.signal })
  leave.abort()
  await waiting
  expect(signal?.aborted).toBe(true)
})

test('an artifact comes as bytes with their place, or as text in JSON', async () => {
  const { ask, crib } = openDoor()
  await ask('POST', call('text.echo'), { body: { input: { text: 'grüße' } } })
  const artifact = { id: 'art_call_1', bytes: 18, mediaType: 'application/json' }
  crib.calls.forEach((made, id) => crib.calls.set(id, { ...made, artifact }))
  const whole = '{"text":"grüße"}'
  const bytes = await ask('GET', '/api/v1/calls/call_1/artifact?offset=9&limit=3')
  expect(bytes.status).toBe(200)
  expect(bytes.headers.get('content-range')).toBe('bytes 9-11/18')
  expect(bytes.headers.get('content-type')).toBe('application/json')
  expect(bytes.headers.get('content-disposition')).toBe('attachment; filename="art_call_1"')
  expect(bytes.headers.get('content-security-policy')).toContain('sandbox')
  expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(
    new TextEncoder().encode(whole).slice(9, 12),
  )
  const beyond = await ask('GET', '/api/v1/calls/call_1/artifact?offset=500')
  expect(beyond.headers.get('content-range')).toBe('bytes */18')

  let text = ''
  let offset: number | undefined = 0
  while (offset !== undefined) {
    const path = `/api/v1/calls/call_1/artifact?offset=${offset}&limit=3`
    const page = (await (
      await ask('GET', path, { headers: { accept: 'application/json' } })
    ).json()) as {
      text: string
      next?: number
    }
    text += page.text
    offset = page.next
  }
  expect(text).toBe(whole)
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
  const { ask } = openDoor()
  expect(await (await ask('GET', '/api/v1/explain?tool=text.echo')).json()).toMatchObject({
    items: [{ tool: 'text.echo', visible: true, verdict: 'allow' }],
  })
  const headers = { authorization: 'Bearer crib_bound' }
  for (const path of ['/api/v1/tools', '/api/v1/tools/text.echo', '/api/v1/explain']) {
    expect((await ask('GET', `${path}?agent=support`, { headers })).status).toBe(200)
    const other = await ask('GET', `${path}?agent=sales`, { headers })
    expect(other.status).toBe(403)
    expect(await other.json()).toMatchObject({ code: 'forbidden' })
  }
})
