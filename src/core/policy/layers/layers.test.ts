import { expect, test } from 'vitest'
import { agentWith, scopeWith, toolNamed } from '../policy.fixture.ts'
import type { PolicyTool, Scope } from '../scope.ts'
import { findStop } from '../visible-tools.ts'
import { layersByName, type LayerName } from './layers.ts'

const plain = toolNamed('file.read')
const lead = (facts = {}) => agentWith(['*'], { slug: 'lead', ...facts })
const level = (name: string, facts = {}) => ({ name, allow: [], deny: [], ...facts })
const secret = (key: string, optional = false) => ({
  key,
  label: key,
  optional,
  type: 'text' as const,
  choices: [],
  sensitive: true,
})

/**
 * One row of the rules: the tool and scope to test, and the reason and fix of the layer that hides
 * it.
 */
type Row = [sentence: string, tool: PolicyTool, scope: Partial<Scope>, stop?: [string, string?]]

function checkRow(name: LayerName, [, tool, scope, stop]: Row) {
  const { layer, passes, reason, fix } = layersByName[name](tool, scopeWith(scope))
  expect(layer).toBe(name)
  expect(reason).not.toBe('')
  expect(passes ? undefined : [reason, fix]).toEqual(stop && [stop[0], stop[1]])
}

const room = toolNamed('room.say', { runtimes: ['room', 'subagent'] })
test.each<Row>([
  ['an ordinary tool exists in every runtime', plain, { runtime: 'chat' }],
  ['a harness tool exists in its runtimes', room, { runtime: 'room' }],
  [
    'a harness tool exists in no other runtime',
    room,
    { runtime: 'chat' },
    ['the tool exists only in runtime room, subagent, not in chat'],
  ],
  [
    'sub-agents get no harness tools, even one that names them',
    room,
    { runtime: 'subagent' },
    ['the tool is a harness tool, and sub-agents get none of them'],
  ],
  [
    'an agent does not call itself',
    toolNamed('agent:support'),
    { agent: agentWith(['*']) },
    ['an agent does not call itself', undefined],
  ],
])('runtime: %s', (...row) => {
  checkRow('runtime', row)
})

const forAcme = toolNamed('a.b', { tenants: ['acme'] })
test.each<Row>([
  ['a tool without tenants is for all', plain, {}],
  ['a tool is there for the tenants it names', forAcme, {}],
  [
    'a tool is hidden from other tenants, and does not tell them whose it is',
    forAcme,
    { tenant: 'globex' },
    ['the tool is reserved for tenants other than globex', 'add globex to the tenants of a.b'],
  ],
  [
    'an unknown tenant sees nothing',
    plain,
    { tenant: 'nobody', isKnownTenant: false },
    ['tenant nobody is unknown', 'create tenant nobody'],
  ],
])('tenant: %s', (...row) => {
  checkRow('tenant', row)
})

const shell = toolNamed('shell.run', { packOptIn: true })
const turnOn = 'turn on pack shell for this tenant'
test.each<Row>([
  ['a pack is visible until turned off', plain, {}],
  [
    'a pack can be turned off',
    plain,
    { packs: { file: { everyone: false } } },
    ['pack file is turned off for everyone', 'turn on pack file for this tenant'],
  ],
  [
    'an opt-in pack is hidden until turned on',
    shell,
    {},
    ['pack shell is opt-in and was not turned on', turnOn],
  ],
  ['an opt-in pack can be turned on for everyone', shell, { packs: { shell: { everyone: true } } }],
  [
    "the tenant's own word wins when it says no",
    shell,
    { packs: { shell: { everyone: true, tenant: false } } },
    ['pack shell is turned off for this tenant', turnOn],
  ],
  [
    "the tenant's own word wins when it says yes",
    shell,
    { packs: { shell: { everyone: false, tenant: true } } },
  ],
  ['a pack with the name of an object property is a pack', toolNamed('constructor.x'), {}],
  [
    'the pack a tool was registered with counts, not the one its name suggests',
    { ...plain, pack: 'shell', packOptIn: true },
    {},
    ['pack shell is opt-in and was not turned on', turnOn],
  ],
])('catalogue: %s', (...row) => {
  checkRow('catalogue', row)
})

const noGrant: [string, string] = [
  'agent support has no grant for file.read',
  'grant file.read to agent support',
]
test.each<Row>([
  ['without an agent no grant is needed', plain, {}],
  ['no grant, nothing visible', plain, { agent: agentWith([]) }, noGrant],
  ['an exact name grants', plain, { agent: agentWith(['file.read']) }],
  ['a pattern grants', plain, { agent: agentWith(['file.*']) }],
  ['a group grants', plain, { agent: agentWith(['group:fs']) }],
  ['a pack grants', plain, { agent: agentWith(['pack:file']) }],
  ['a profile grants', plain, { agent: agentWith([], { profile: 'minimal' }) }],
  ['another pattern does not', plain, { agent: agentWith(['web.*']) }, noGrant],
  [
    'a grant without a source is no grant',
    plain,
    { agent: agentWith([], { grants: [{ pattern: '*', kind: 'allow', sources: [] }] }) },
    noGrant,
  ],
  [
    'deny wins over a grant',
    plain,
    { agent: agentWith(['*'], { deny: ['file.*'] }) },
    [
      'agent support is denied file.* (manual); it is granted * (manual), but deny wins',
      'remove the deny of file.* from agent support',
    ],
  ],
  [
    'a tool can be switched off in the settings',
    plain,
    { agent: agentWith(['*'], { settings: { 'file.read': { enabled: false } } }) },
    [
      'agent support has file.read switched off in its settings',
      'switch file.read on in the settings of agent support',
    ],
  ],
  [
    'settings under an older name of the tool hold',
    toolNamed('file.read', { aliases: ['file.open'] }),
    { agent: agentWith(['*'], { settings: { 'file.open': { enabled: false } } }) },
    [
      'agent support has file.read switched off in its settings',
      'switch file.read on in the settings of agent support',
    ],
  ],
  [
    "grants that can't be read close",
    plain,
    { agent: agentWith(['*', 'group:nope']) },
    [
      'the grants of agent support can\'t be read, so it gets nothing: Unknown group "nope"; Known: admin, browser, fs, git, knowledge, media, memory, runtime, session, web',
      'fix the grants of agent support',
    ],
  ],
])('grants: %s', (...row) => {
  checkRow('grants', row)
})

const recall = toolNamed('memory.recall')
const noMemory = agentWith(['*'], { memoryEnabled: false })
test.each<Row>([
  ['memory is there while it is on', recall, { agent: agentWith(['*']) }],
  [
    'memory off hides memory tools',
    recall,
    { agent: noMemory },
    ['memory is off for agent support', 'set memoryEnabled for agent support'],
  ],
  ['memory off hides nothing else', plain, { agent: noMemory }],
  [
    'memory off hides packs that joined the group',
    toolNamed('notes.find'),
    { agent: noMemory, groups: { memory: ['pack:notes'] } },
    ['memory is off for agent support', 'set memoryEnabled for agent support'],
  ],
  [
    'knowledge off at a parent hides it from the child',
    toolNamed('knowledge.search'),
    { agent: agentWith(['*']), parents: [lead(), lead({ slug: 'top', knowledgeEnabled: false })] },
    ['knowledge is off for parent agent top', 'set knowledgeEnabled for agent top'],
  ],
])('flags: %s', (...row) => {
  checkRow('flags', row)
})

test.each<Row>([
  ['without levels everything passes', plain, {}],
  ['an empty level lets everything through', plain, { levels: [level('global')] }],
  [
    'a level that denies hides',
    plain,
    { levels: [level('global', { profile: 'full' }), level('tenant', { deny: ['file.*'] })] },
    ['tenant policy denies file.*', 'remove file.* from the deny list of the tenant policy'],
  ],
  [
    'each level narrows: what one does not allow is hidden',
    plain,
    { levels: [level('global', { allow: ['*'] }), level('provider', { allow: ['web.*'] })] },
    ['provider policy does not allow file.read', 'allow file.read in the provider policy'],
  ],
  [
    'a profile of a level is named',
    toolNamed('file.write'),
    { levels: [level('global', { profile: 'minimal' })] },
    [
      'profile minimal of global policy does not allow file.write',
      'allow file.write in the global policy',
    ],
  ],
  [
    "a profile's own deny is named",
    plain,
    {
      profiles: { most: { allow: ['*'], deny: ['file.*'] } },
      levels: [level('global', { profile: 'most', allow: ['file.read'] })],
    },
    [
      'profile most of global policy denies file.*; it allows file.read, but deny wins',
      'set another profile in the global policy',
    ],
  ],
  [
    'a skill without permissions allows nothing',
    plain,
    { levels: [level('skill:research')] },
    [
      'skill:research policy names no tools, so it allows none',
      'allow file.read in the skill:research policy',
    ],
  ],
  [
    "a level that can't be read lets nothing through",
    plain,
    { levels: [level('tenant', { closed: 'allow must be a list of patterns' })] },
    [
      "tenant policy can't be read, so it denies everything: allow must be a list of patterns",
      'fix the tenant policy',
    ],
  ],
  [
    'a child gets the intersection with its parents',
    plain,
    { agent: agentWith(['*']), parents: [lead(), agentWith(['web.*'], { slug: 'top' })] },
    ['parent agent top has no grant for file.read', 'grant file.read to agent top'],
  ],
])('policy: %s', (...row) => {
  checkRow('policy', row)
})

const refund = toolNamed('billing.refund', { permission: 'billing.refund' })
const held = { permissions: ['billing.*'] }
test.each<Row>([
  ['a tool without a permission needs none', plain, {}],
  [
    'no permissions, no permissioned tools',
    refund,
    {},
    [
      'the caller does not hold permission billing.refund',
      'give the caller permission billing.refund',
    ],
  ],
  ['the exact permission will do', refund, { permissions: ['billing.refund'] }],
  ['a pattern will do', refund, held],
  ['an owner holds everything', refund, { permissions: ['*'] }],
  ['an agent without a role adds nothing', refund, { ...held, agent: agentWith(['*']) }],
  [
    "an agent's role must hold it too",
    refund,
    { ...held, agent: agentWith(['*'], { permissions: [] }) },
    [
      'the role of agent support does not hold permission billing.refund',
      'give the role of agent support permission billing.refund',
    ],
  ],
  [
    "and every parent's role",
    refund,
    { ...held, agent: agentWith(['*']), parents: [lead({ permissions: ['tools.*'] })] },
    [
      'the role of parent agent lead does not hold permission billing.refund',
      'give the role of agent lead permission billing.refund',
    ],
  ],
])('permission: %s', (...row) => {
  checkRow('permission', row)
})

const needy = toolNamed('billing.find', {
  secrets: [secret('stripe_key'), secret('hint', true)],
  env: ['STRIPE_URL'],
})
test.each<Row>([
  ['a tool without needs is ready', plain, {}],
  [
    'what is missing is named, all of it',
    needy,
    {},
    [
      'secret stripe_key, environment variable STRIPE_URL are not set',
      'toolcrib secrets set stripe_key (members who hold secrets.write can set it: owner, admin, operator, or a key with that scope); set STRIPE_URL where the server runs',
    ],
  ],
  [
    'one missing secret hides',
    needy,
    { env: new Set(['STRIPE_URL']) },
    [
      'secret stripe_key is not set',
      'toolcrib secrets set stripe_key (members who hold secrets.write can set it: owner, admin, operator, or a key with that scope)',
    ],
  ],
  [
    'an optional secret may be missing',
    needy,
    { env: new Set(['STRIPE_URL']), secrets: new Set(['stripe_key']) },
  ],
])('needs: %s', (...row) => {
  checkRow('needs', row)
})

test.each<Row>([
  ['a healthy tool passes', plain, {}],
  [
    'a quarantined tool is hidden with its reason',
    toolNamed('a.b', { quarantine: 'its schema is too deep' }),
    {},
    [
      'quarantined: its schema is too deep',
      'review the tool: accept its change, or fix its definition',
    ],
  ],
  [
    'a quarantine without words is one',
    toolNamed('a.b', { quarantine: '' }),
    {},
    ['quarantined: ', 'review the tool: accept its change, or fix its definition'],
  ],
  [
    'a tool of a server that is down is hidden',
    toolNamed('mcp:files:read', { isDown: 'connection refused' }),
    {},
    ["the tool's server is down: connection refused"],
  ],
])('health: %s', (...row) => {
  checkRow('health', row)
})

test('the first layer that hides decides', () => {
  const tool = toolNamed('shell.run', { packOptIn: true, quarantine: 'broken' })
  const scope = scopeWith({ agent: agentWith([]), levels: [level('global', { deny: ['*'] })] })
  expect(findStop(tool, scope)).toEqual({
    layer: 'catalogue',
    passes: false,
    reason: 'pack shell is opt-in and was not turned on',
    setBy: 'the definition of pack shell',
    fix: turnOn,
    change: {
      command: 'toolcrib policy set pack:shell --on',
      api: 'PUT /api/v1/policies/pack/shell',
    },
  })
})
