import { afterEach, expect, test, vi } from 'vitest'
import type { Api } from '../../api/client.ts'
import { stage } from '../../testing/output-stage.tsx'
import { violations } from '../../testing/violations.ts'
import { CallResult } from './call-result.tsx'

type Call = Api<'CallResult'>

afterEach(() => vi.unstubAllGlobals())

const failed: Call = {
  callId: 'call_1',
  status: 'failed',
  error: {
    code: 'upstream_failed',
    message: 'The shop answered 503',
    retryable: true,
    fix: 'Try again in a minute.',
    issues: [{ path: '/order/id', message: 'is unknown there' }],
    retryAfterMs: 90_000,
  },
}

const calls: readonly (readonly [string, Call, RegExp])[] = [
  [
    'completed',
    { callId: 'call_1', status: 'completed', output: { total: 3 }, warnings: ['Odd'] },
    /Odd/,
  ],
  ['failed', failed, /The shop answered 503/],
  [
    'denied',
    {
      callId: 'call_1',
      status: 'denied',
      error: { code: 'forbidden', message: 'Not for you', retryable: false },
    },
    /Not for you/,
  ],
  [
    'waiting for a person',
    { callId: 'call_1', status: 'waiting', waitingFor: 'approval', approvalId: 'apr_1' },
    /Waiting for approval/,
  ],
  [
    'waiting for the outside',
    { callId: 'call_1', status: 'waiting', waitingFor: 'external' },
    /Waiting for external work/,
  ],
  [
    'waiting for a call',
    { callId: 'call_1', status: 'waiting', waitingFor: 'call' },
    /Waiting for a nested call/,
  ],
  ['queued', { callId: 'call_1', status: 'queued' }, /as soon as there is capacity/],
  ['cancelled', { callId: 'call_1', status: 'cancelled' }, /was cancelled/],
]

test.each(calls)(
  'a call that is %s shows its status, accessible in light and dark',
  async (_, call, said) => {
    answer(() => ({ items: [], hasMore: false }))
    const screen = await stage(<CallResult call={call} />)
    await expect.element(screen.getByText(said).first()).toBeVisible()
    expect(await violations(screen.container)).toEqual([])
  },
)

test('an error shows its cause, place, fix, retry time and call', async () => {
  const screen = await stage(<CallResult call={failed} />)
  await expect.element(screen.getByRole('alert')).toBeVisible()
  const said = screen.getByRole('alert').element().textContent
  expect(said).toContain('upstream_failed')
  expect(said).toContain('/order/id is unknown there')
  expect(said).toContain('Try again in a minute.')
  expect(said).toContain('Try again in 1 min 30 s.')
  const link = screen.getByRole('link', { name: 'Open the call' })
  expect(link.element().getAttribute('href')).toBe('/calls/call_1')
})

test('where a sign-in to the server of the tool is missing, it is begun on the spot', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`)
    return Response.json({ url: 'https://provider.example/sign-in', expiresAt: '' })
  })
  const tab = { opener: {}, location: { href: '' } }
  vi.stubGlobal('open', () => tab)
  const error = { code: 'sign_in_required', message: 'Sign in first', retryable: false } as const
  const call: Call = { callId: 'call_1', status: 'failed', error }
  const tool = { name: 'mcp:docs:whoami' } as Api<'ToolDetail'>
  const screen = await stage(<CallResult call={call} tool={tool} />, {
    permissions: ['tools.call'],
  })
  await screen.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => tab.location.href).toBe('https://provider.example/sign-in')
  expect(asked).toEqual(['POST /api/v1/mcp-servers/docs/authorize'])
})

test('a call that waits for a person links to the approval', async () => {
  const call: Call = { callId: 'c', status: 'waiting', waitingFor: 'approval', approvalId: 'apr_1' }
  const screen = await stage(<CallResult call={call} />)
  const link = screen.getByRole('link', { name: 'Open the approval' })
  expect(link.element().getAttribute('href')).toBe('/approvals?id=apr_1')
})

test('a refusal is explained to those who may know, and nobody else', async () => {
  answer(() => ({
    decided: { verdict: 'deny', layer: 'grants', rule: 'none', reasons: ['No grant names it'] },
    now: { layers: [{ layer: 'grants', passes: false, reason: 'Still none', fix: 'Grant it' }] },
    difference: '',
  }))
  const call: Call = {
    callId: '',
    status: 'denied',
    error: {
      code: 'tool_not_found',
      message: 'No such tool',
      retryable: false,
      refusalId: 'ref_1',
    },
  }
  const screen = await stage(<CallResult call={call} />)
  await screen.getByRole('button', { name: 'Explain' }).click()
  await expect.element(screen.getByText('No grant names it')).toBeVisible()
  await expect.element(screen.getByText('Now: Granted to the agent. Grant it')).toBeVisible()
  await screen.unmount()
  const other = await stage(<CallResult call={call} />, { permissions: [] })
  await expect.element(other.getByText('No such tool')).toBeVisible()
  expect(other.container.querySelector('button')).toBeNull()
})

test('a running call shows how far it is and what there is', async () => {
  answer(() => ({
    items: [
      { data: { progress: { done: 1, total: 4, message: 'first' } } },
      { data: { progress: { done: 2, total: 4, message: 'second' } } },
      { data: { partial: { report: 'So far' } } },
    ],
    next: 'e3',
    hasMore: false,
  }))
  const screen = await stage(<CallResult call={{ callId: 'call_1', status: 'running' }} />)
  await expect.element(screen.getByText('2 of 4: second')).toBeVisible()
  await expect.element(screen.getByText('So far')).toBeVisible()
  await expect.element(screen.getByText('Still running; more output may follow')).toBeVisible()
  expect(await violations(screen.container)).toEqual([])
})

const large = JSON.stringify({
  rows: Array.from({ length: 200_000 }, (_, id) => ({
    id,
    name: `<b>row ${id}</b>`,
    text: 'x'.repeat(60),
  })),
})
const artifact = { id: 'art_1', bytes: large.length, mediaType: 'application/json' }

/** The artifact route, as the server answers it. */
function serveArtifact(text: string): string[] {
  const asked: string[] = []
  answer((url, accept) => {
    asked.push(url.search)
    const offset = Number(url.searchParams.get('offset'))
    const end = Math.min(text.length, offset + Number(url.searchParams.get('limit')))
    const part = text.slice(offset, end)
    if (accept !== 'application/json') return new Response(part)
    return { ...artifact, offset, text: part, ...(end < text.length && { next: end }) }
  })
  return asked
}

test('an output of twenty megabytes comes in pages, and is drawn whole only when asked', async () => {
  expect(large.length).toBeGreaterThan(20_000_000)
  const asked = serveArtifact(large)
  const call: Call = {
    callId: 'call_1',
    status: 'completed',
    artifact,
    output: { truncated: true, preview: '{', shownBytes: 1, totalBytes: 2, hiddenBytes: 1 },
  }
  const screen = await stage(<CallResult call={call} />)
  await expect.element(screen.getByText(/^0 bytes to 250 KB of 2\d MB$/)).toBeVisible()
  expect(asked).toHaveLength(1)
  expect(await violations(screen.container)).toEqual([])
  await screen.getByRole('button', { name: 'Next part' }).click()
  await expect.element(screen.getByText(/^250 KB to 500 KB/)).toBeVisible()
  await screen.getByRole('button', { name: 'Load all and draw' }).click()
  await expect.element(screen.getByText('Rows 1 to 50 of 200,000')).toBeVisible()
  expect(screen.container.querySelectorAll('td').length).toBeLessThan(200)
  expect(screen.container.querySelector('b')).toBeNull()
})

test('a large output that is not that large is drawn at once', async () => {
  serveArtifact('{"total": 7}')
  const call: Call = {
    callId: 'call_1',
    status: 'completed',
    artifact: { ...artifact, bytes: 12 },
    output: { truncated: true, preview: '{', shownBytes: 1, totalBytes: 2, hiddenBytes: 1 },
  }
  const screen = await stage(<CallResult call={call} />)
  await expect.element(screen.getByText('Total')).toBeVisible()
  await expect.element(screen.getByText('The whole output')).toBeVisible()
})

test('rich output that was cut is drawn once, from the whole', async () => {
  const block = (text: string) => ({ type: 'text', text })
  serveArtifact(JSON.stringify({ $content: [block('Begin to end')] }))
  const call: Call = {
    callId: 'call_1',
    status: 'completed',
    artifact: { ...artifact, bytes: 60 },
    output: { $content: [block('Begin'), block('… 50 more bytes hidden, read the artifact')] },
  }
  const screen = await stage(<CallResult call={call} />)
  await expect.element(screen.getByText('Begin to end')).toBeVisible()
  expect(screen.getByText(/more bytes hidden/).elements()).toEqual([])
})

test('a file of a worker is offered, never opened', async () => {
  const call: Call = {
    callId: 'call_1',
    status: 'completed',
    artifact: { id: 'art_2', bytes: 2048, mediaType: 'text/html' },
    output: { artifact: { id: 'art_2' } },
  }
  serveArtifact('<script>window.hostileRan = 1</script>')
  const screen = await stage(<CallResult call={call} />)
  await expect.element(screen.getByRole('button', { name: 'Download' })).toBeVisible()
  await expect.element(screen.getByText('<script>window.hostileRan = 1</script>')).toBeVisible()
  expect((window as unknown as { hostileRan?: number }).hostileRan).toBeUndefined()
})

/** Answers every request to the API in the place of a server. */
function answer(say: (url: URL, accept: string | null) => unknown): void {
  vi.stubGlobal('fetch', async (request: Request) => {
    const said = say(new URL(request.url), request.headers.get('accept'))
    return said instanceof Response ? said : Response.json(said)
  })
}
