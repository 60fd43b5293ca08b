import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Crib, defineTool, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createHttpApp, type HttpApp } from '../src/doors/http/create-http-app.ts'
import { runLine } from '../src/doors/cli/testing/run-line.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { zipOf } from './skills/skill-crib.ts'

const idle = (written: string) => `${written} matches no tool at the moment`

let crib: Crib
let app: HttpApp
let key: string

beforeAll(async () => {
  crib = await createTestCrib({
    tools: [
      defineTool({
        name: 'mail.send',
        description: 'Sends a mail to whoever is named.',
        effect: 'write',
        inputSchema: z.object({}),
        execute: () => null,
      }),
    ],
  })
  key = (await crib.api.createKey(ownerOf(), { name: 'operator', scopes: ['*'] })).token
  app = createHttpApp({ api: crib.api, version: '1' })
})
afterAll(() => crib.close())

async function put(path: string, body: unknown): Promise<{ warnings?: string[] }> {
  const response = await app.request(`/api/v1${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as { warnings?: string[] }
}

const slip = { allow: ['mail.*', 'mial.*'], deny: ['mail.snd', 'mail.send'] }
const ofLevel = [idle('allow mial.*'), idle('deny mail.snd')]

test.each<[string, string, unknown, string[]]>([
  ['a policy', '/policies/policy/tenant', { body: slip }, ofLevel],
  ['a level of a provider', '/policies/provider/openai', { body: slip }, ofLevel],
  ['a profile', '/policies/profile/quiet', { body: slip }, ofLevel],
  ['a group', '/policies/group/post', { body: ['mail.*', 'psot.*'] }, [idle('pattern psot.*')]],
  [
    'a limit',
    '/limits/slow',
    { of: 'tool', match: 'mial.*', tools: ['mail.*', 'm.*'], callsPerMinute: 1 },
    [idle('match mial.*'), idle('tools m.*')],
  ],
  ['a label', '/labels/mial.*', { reads: ['private'] }, [idle('pattern mial.*')]],
])(
  'writing %s answers with a warning of each pattern that matches no tool',
  async (...[, path, body, expected]) => {
    expect((await put(path, body)).warnings).toEqual(expected)
  },
)

test('patterns that fit have no warnings', async () => {
  expect((await put('/policies/group/fine', { body: ['mail.*'] })).warnings).toEqual([])
  expect((await put('/labels/mail.send', { reads: [] })).warnings).toEqual([])
})

test('installing a skill warns of what it would let through and what is not there', async () => {
  const zip = zipOf('name: helper\ntools: []\npermissions: { allow: ["mail.*", "mial.*"] }')
  const { warnings } = await crib.api.installSkill(ownerOf(), { zip })
  expect(warnings).toEqual([idle('permissions.allow mial.*')])
})

test('the command line shows the warnings beside its answer, and in its JSON', async () => {
  const fetch = (request: Request | string, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${key}`)
    return Promise.resolve(app.request(request, { ...init, headers }))
  }
  const lines: [string[], string][] = [
    [['policy', 'set', 'profile:loud', '--allow', 'mial.*'], idle('allow mial.*')],
    [
      ['limits', 'set', 'pace', '--of', 'tool', '--match', 'mial.*', '--concurrent', '1'],
      idle('match mial.*'),
    ],
    [['labels', 'set', 'mial.*', '--reads', 'private'], idle('pattern mial.*')],
  ]
  for (const [argv, warning] of lines) {
    const { code, out, err } = await runLine(argv, { fetch })
    expect([code, err.trim()]).toEqual([0, `! ${warning}`])
    expect(out).toContain('✓')
    const asJson = await runLine([...argv, '--json'], { fetch })
    expect([asJson.err, JSON.parse(asJson.out)]).toEqual([
      '',
      expect.objectContaining({ warnings: [warning] }),
    ])
  }
})
