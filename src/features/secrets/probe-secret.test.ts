import { expect, test } from 'vitest'
import { definePack } from '../../core/define-pack.ts'
import { defineTool } from '../../core/define-tool.ts'
import { createRegistry } from '../../core/registry.ts'
import { probeSecret } from './probe-secret.ts'
import type { SecretProbe } from '../../core/kernel/secret-probe.ts'

const value = 'sk_live_4242'
const request = { name: 'api_key', value, env: { API_URL: 'https://x' } }

test('a check without a result is a success; a returned or thrown value is the problem, without the secret', async () => {
  const run = (probe: SecretProbe) => probeSecret(probe, request)
  expect(await run(() => undefined)).toBeUndefined()
  expect(await run(async (_value, { env }) => env['API_URL'])).toBe('https://x')
  expect(await run((given) => `401 for ${given}`)).toBe('401 for [redacted:api_key]')
  expect(
    await run((given) => {
      throw new Error(`no ${Buffer.from(given).toString('base64')}`)
    }),
  ).toBe('no [redacted:api_key]')
  expect(await run(() => Promise.reject(new Error('')))).toBe('The check failed')
  expect((await run(() => 'x'.repeat(10_000)))?.length).toBe(500)
})

test('a check that never ends is aborted through its signal', async () => {
  const aborted = Promise.withResolvers<boolean>()
  const probe: SecretProbe = (_value, { signal }) => {
    signal.addEventListener('abort', () => aborted.resolve(signal.aborted))
    return new Promise(() => undefined)
  }
  expect(await probeSecret(probe, { ...request, withinMs: 20 })).toBe(
    'The check gave no answer within 0.02 s',
  )
  expect(await aborted.promise).toBe(true)
})

const facts = {
  description: 'Does it.',
  effect: 'read',
  inputSchema: { type: 'object' },
  execute: () => null,
} as const

test('a tool has the checks of its pack for the secrets it declares, and its own before them', () => {
  const [own, packs, others] = [() => 'own', () => 'pack', () => 'other']
  const first = defineTool({ name: 'crm.find', ...facts, secrets: ['crm_key', 'crm_url'] })
  const second = defineTool({
    name: 'crm.send',
    ...facts,
    secrets: ['crm_key', 'mail_key'],
    checkSecrets: { crm_key: own },
  })
  const pack = definePack({
    name: 'crm',
    title: 'CRM',
    description: 'Customers.',
    tools: [first, second],
    checkSecrets: { crm_key: packs, mail_key: others },
  })
  const registry = createRegistry()
  for (const tool of pack.tools) registry.register(tool, { pack })
  expect(registry.list().map(({ probes }) => probes)).toEqual([
    { crm_key: packs },
    { crm_key: own, mail_key: others },
  ])
})

test('a check that is not a function, or is for an undeclared secret, is refused', () => {
  const define = (checkSecrets: unknown) =>
    defineTool({ name: 'a.b', ...facts, secrets: ['key'], checkSecrets: checkSecrets as never })
  expect(() => define({ key: 'yes' })).toThrow('must be a function')
  expect(() => define({ other: () => undefined })).toThrow('checks a secret that no tool declares')
  expect(() => define(() => undefined)).toThrow('must be an object')
  const tool = defineTool({ name: 'a.b', ...facts, secrets: ['key'] })
  const pack = { name: 'p', title: 'P', description: 'P.', tools: [tool] }
  expect(() => definePack({ ...pack, checkSecrets: { toString: () => undefined } })).toThrow(
    'checks a secret that no tool declares',
  )
})
