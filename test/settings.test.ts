import { afterEach, expect, test } from 'vitest'
import type { Crib } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import { createTestCrib } from '../src/testing/index.ts'

let crib: Crib | undefined
afterEach(() => crib?.close())

const provider = {
  label: 'Example',
  issuer: 'https://id.example',
  clientId: 'crib',
  clientSecretEnv: 'CRIB_SECRET',
}

async function open(): Promise<Crib['api']> {
  crib = await createTestCrib({
    config: {
      tenants: [{ slug: 'acme' }, { slug: 'beta' }],
      roles: { cashier: { permissions: ['tools.call', 'billing.*'] } },
      retention: { days: 90 },
      server: { publicUrl: 'https://crib.example' },
      signIn: {
        password: false,
        oidc: [
          { ...provider, name: 'ours', tenant: 'acme', provision: { role: 'cashier' } },
          { ...provider, name: 'theirs', tenant: 'beta', allowedDomains: ['beta.example'] },
        ],
      },
    },
    env: { CRIB_SECRET: 'hush hush' },
  })
  return crib.api
}

test('what is configured is told without a secret, nor where one is kept', async () => {
  const api = await open()
  const settings = await api.readSettings(ownerOf('acme'))
  expect(settings).toEqual({
    version: expect.stringMatching(/^\d/),
    store: 'pglite',
    publicUrl: 'https://crib.example',
    retention: { days: 90, goneToolDays: 30 },
    approvals: { expiresIn: '24h', allowSelf: true },
    signIn: {
      password: false,
      providers: [
        {
          name: 'ours',
          label: 'Example',
          issuer: 'https://id.example',
          tenant: 'acme',
          joinsAs: 'cashier',
        },
      ],
    },
    roles: expect.arrayContaining([
      { name: 'owner', permissions: ['*'], isShipped: true },
      { name: 'cashier', permissions: ['tools.call', 'billing.*'], isShipped: false },
    ]),
    permissions: expect.arrayContaining(['tools.call', 'members.manage']),
  })
  expect(JSON.stringify(settings)).not.toMatch(/CRIB_SECRET|hush/)
})

test('only who runs the installation is told whom the others sign in with', async () => {
  const api = await open()
  const names = async (tenant: string, more = {}) => {
    const { signIn } = await api.readSettings({ ...ownerOf(tenant), ...more })
    return signIn.providers.map(({ name }) => name)
  }
  expect(await names('acme')).toEqual(['ours'])
  expect(await names('beta')).toEqual(['theirs'])
  expect(await names('default')).toEqual(['ours', 'theirs'])
  expect(await names('acme', { home: 'default' })).toEqual(['ours', 'theirs'])
})

test('who manages neither members nor keys, and reads no log, is told nothing', async () => {
  const api = await open()
  const member = { ...ownerOf('acme'), permissions: ['tools.call', 'policy.read'] }
  await expect(api.readSettings(member)).rejects.toMatchObject({ code: 'forbidden' })
  const bound = { ...ownerOf('acme'), agent: 'support' }
  await expect(api.readSettings(bound)).rejects.toMatchObject({ code: 'forbidden' })
  const auditor = { ...ownerOf('acme'), permissions: ['audit.read'] }
  expect(await api.readSettings(auditor)).toMatchObject({ retention: { days: 90 } })
})
