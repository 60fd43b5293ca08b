import { strToU8, zipSync } from 'fflate'
import type { OpenCrib } from '../../src/app/open-crib.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import { agentSchema } from '../../src/core/rules/rule-schemas.ts'
import { until } from '../setup/takeover-scene.ts'
import type { RouteName, Step } from './walk.ts'

/** One of everything that a tenant can have, by the noun of its path. */
export async function makeInstances(
  { api, store }: OpenCrib,
  them: Caller,
): Promise<Record<string, string>> {
  const call = await api.call({ tool: 'mail.read', input: {}, caller: them, durable: true })
  const asked = await api.call({ tool: 'mail.send', input: {}, caller: them })
  const again = await api.call({ tool: 'mail.send', input: {}, caller: them })
  const remember = { for: '1h', match: {} }
  await api.decideApproval(them, { id: again.approvalId ?? '', decision: 'approve', remember })
  const [rule] = (await api.listApprovalRules(them)).items
  const file = { mediaType: 'text/plain', content: strToU8('a file of theirs') }
  const upload = await api.createUpload(them, file)
  const hourly = { name: 'hourly', tool: 'mail.read', when: { every: '1h' } }
  const schedule = await api.createSchedule(them, hourly)
  const made = await api.createKey(them, { name: 'k', scopes: ['tools.call'] })
  await api.writeSecret(them, { name: 'token', value: 'a value of theirs' })
  await api.createAgent(them, agentSchema.parse({ slug: 'support', tools: { allow: ['mail.*'] } }))
  const body = { allow: ['*.read'] }
  await api.writePolicyDocument(them, { kind: 'profile', name: 'quiet', body })
  await api.writeLimit(them, { name: 'busy-hours', of: 'tenant', callsPerMinute: 1000 })
  await api.writeNetworkRule(them, { id: 'partners', allow: ['partner.example'] })
  await api.writeLabel(them, { pattern: 'mail.read', reads: ['private'] })
  const inSession = { ...them, sessionId: 'their-session' }
  await api.call({ tool: 'mail.read', input: {}, caller: inSession, durable: true })
  await api.call({ tool: 'mail.keep', input: {}, caller: inSession })
  const [workspace] = (await api.listWorkspaces(them, {})).items
  const refused = await api.call({ tool: 'no.such', input: {}, caller: them })
  const text = '---\nname: mailing\ndescription: How they mail.\ntools: [mail.read]\n---\nMail.'
  await api.installSkill(them, { zip: zipSync({ 'SKILL.md': strToU8(text) }) })
  await api.enableSkill(them, { slug: 'support', name: 'mailing' })
  const docs = { url: 'https://docs.example.com/mcp', enabled: false, oauth: { scopes: [] } }
  await api.addMcpServer(them, { name: 'wikipages', ...docs })
  const petshop = { openapi: '3.1.0', paths: { '/pets': { get: { responses: {} } } } }
  const shop = { name: 'petshop', server: 'https://pets.example.com' }
  await api.addApi(them, { ...shop, document: JSON.stringify(petshop) })
  const question = await ask({ api }, them)
  const published = await publishDocument({ api }, them)
  const run = await api.startRun(them, { slug: 'support', prompt: 'hello of acme' })
  await api.findRun(them, { id: run.id, wait: 30 })
  await store.flush()
  return {
    ...(await makePeople({ api }, them)),
    tools: 'own.read',
    versions: published,
    calls: call.callId ?? '',
    approvals: asked.approvalId ?? '',
    'approval-rules': rule?.id ?? 'none',
    questions: question,
    uploads: upload.id,
    workspaces: workspace?.id ?? 'none',
    schedules: schedule.id,
    keys: made.key.id,
    secrets: 'token',
    agents: 'support',
    tenants: them.tenant,
    keyring: 'k1',
    limits: 'busy-hours',
    'network-rules': 'partners',
    labels: 'mail.read',
    'session-flags': 'their-session',
    explain: refused.error?.refusalId ?? '',
    skills: 'mailing',
    'mcp-servers': 'wikipages',
    apis: 'petshop',
    conversations: run.conversationId,
    chat: run.conversationId,
    runs: run.id,
    // Found by its workspace first; that is another tenant's.
    processes: '730114',
  }
}

async function ask({ api }: Pick<OpenCrib, 'api'>, them: Caller): Promise<string> {
  await api.call({ tool: 'flow.ask', input: { title: 'Theirs?' }, caller: them })
  await until(async () => (await api.listQuestions(them, {})).items.length > 0)
  return (await api.listQuestions(them, {})).items[0]?.id ?? 'none'
}

/** The hash of a version of a tool that is a document. */
async function publishDocument({ api }: Pick<OpenCrib, 'api'>, them: Caller): Promise<string> {
  const document = {
    name: 'theirs.page',
    description: 'Fetches a page that is theirs alone.',
    inputSchema: { type: 'object', properties: {} },
    spec: { kind: 'http', method: 'GET', url: 'https://theirs.example/page' },
  }
  const { published } = await api.createTool(them, { document, publish: true })
  return published?.version.hash ?? 'none'
}

async function makePeople(
  { api }: Pick<OpenCrib, 'api'>,
  them: Caller,
): Promise<Record<string, string>> {
  const ann = { email: 'ann@acme.test', name: 'Ann', role: 'viewer' }
  const member = await api.createMember(them, ann)
  const invited = await api.createInvitation(them, { email: 'bob@acme.test', role: 'viewer' })
  const token = new URL(invited.url, 'http://localhost').searchParams.get('token') ?? ''
  const visitor = { address: '127.0.0.1' }
  const bob = { token, name: 'Bob', password: 'correct horse' }
  const joined = await api.acceptInvitation(bob, visitor)
  const open = await api.createInvitation(them, { email: 'eve@acme.test', role: 'viewer' })
  return {
    members: member.id,
    'sign-ins': joined.signIn.id,
    invitations: open.invitation.id,
  }
}

const hash = '0'.repeat(64)
const ofTool = { params: { tool: 'search' }, body: { hash } }
const byOperators = { status: 403 } as const
const wrongToken = { headers: { authorization: 'Bearer crib_done_wrong' } }

/** What the description of an operation does not tell: bodies with rules of their own, and other answers than 404. */
export const specialSteps: Readonly<Record<RouteName, Partial<Step>>> = {
  'POST /api/v1/tools/{name}/calls': { body: { input: {} } },
  'POST /api/v1/tools/{name}/ask': {
    body: { input: {} },
    otherwise: 'nobody has to be asked about a tool that is not there',
  },
  'POST /api/v1/calls/{id}/complete': {
    ...wrongToken,
    body: { status: 'completed', response: 1 },
  },
  'POST /api/v1/calls/{id}/progress': { ...wrongToken, body: { message: 'half' } },
  'PUT /api/v1/secrets/{name}': {
    body: { value: 'a value of ours' },
    otherwise: 'a secret of that name is written in the own tenant',
  },
  'POST /api/v1/questions/{id}/answer': { body: { input: { answer: 'ours' } } },
  'PATCH /api/v1/tools/{name}': { body: { isEnabled: false } },
  'PUT /api/v1/tools/{name}/draft': {
    body: { document: {} },
    otherwise: 'a draft of that name is saved in the own tenant',
  },
  'PATCH /api/v1/workspaces/{id}': { body: { mode: 'free' } },
  'GET /api/v1/workspaces/{id}/file': { query: '?path=note.txt' },
  'PUT /api/v1/workspaces/{id}/file': {
    query: '?path=note.txt',
    body: new Uint8Array([1]),
    headers: { 'content-type': 'text/plain' },
  },
  'DELETE /api/v1/workspaces/{id}/file': { query: '?path=note.txt' },
  'PATCH /api/v1/agents/{slug}': { body: { autonomy: 'autonomous' } },
  'POST /api/v1/agents/{slug}/grants': { body: { pattern: '*' } },
  'DELETE /api/v1/agents/{slug}/grants': { query: '?pattern=mail.*' },
  'DELETE /api/v1/agents/{slug}/tools/{name}': { params: { name: 'mail.read' } },
  'GET /api/v1/policies/{kind}': {
    params: { kind: 'profile' },
    otherwise: 'a kind is no id; the list is looked at below',
  },
  'PUT /api/v1/policies/{kind}/{name}': {
    params: { kind: 'profile', name: 'quiet' },
    body: { body: { allow: ['mail.read'] } },
    otherwise: 'a profile of that name is written in the own tenant',
  },
  'DELETE /api/v1/policies/{kind}/{name}': {
    params: { kind: 'profile', name: 'quiet' },
    fixed: ['kind'],
  },
  'PATCH /api/v1/members/{id}': { body: { role: 'member' } },
  'GET /api/v1/tenants/{slug}': byOperators,
  'PATCH /api/v1/tenants/{slug}': { ...byOperators, body: { name: 'Mine' } },
  'DELETE /api/v1/tenants/{slug}': { ...byOperators, query: '?confirm=acme' },
  'DELETE /api/v1/keyring/{id}': byOperators,
  'PUT /api/v1/network-rules/{id}': {
    body: { allow: ['own.example'] },
    otherwise: 'a rule of that id is written in the own tenant',
  },
  'PUT /api/v1/limits/{name}': {
    body: { of: 'tenant', callsPerMinute: 5 },
    otherwise: 'a limit of that name is written in the own tenant',
  },
  'PUT /api/v1/labels/{pattern}': {
    body: { effects: 'external' },
    otherwise: 'a label for that pattern is written in the own tenant',
  },
  'PATCH /api/v1/mcp-servers/{name}': { body: { title: 'Mine' } },
  'POST /api/v1/mcp-servers/{name}/tools/decisions': {
    body: { decisions: [{ tool: 'search', hash, verdict: 'accept' }] },
  },
  'POST /api/v1/mcp-servers/{name}/tools/{tool}/accept': ofTool,
  'POST /api/v1/mcp-servers/{name}/tools/{tool}/reject': ofTool,
  'PATCH /api/v1/apis/{name}': { body: { title: 'Mine' } },
  'POST /api/v1/apis/{name}/tools/decisions': {
    body: { decisions: [{ tool: 'search', hash, verdict: 'accept' }] },
  },
  'POST /api/v1/apis/{name}/tools/{tool}/accept': ofTool,
  'POST /api/v1/apis/{name}/tools/{tool}/reject': ofTool,
  'POST /api/v1/apis/{name}/tools/{tool}/document': { params: { tool: 'search' } },
  'POST /api/v1/approvals/{id}/decision': { body: { decision: 'approve' } },
  'GET /api/v1/skills/{name}/files/{path}': { params: { path: 'SKILL.md' }, fixed: ['path'] },
  'GET /api/v1/conversations/{id}/files/{file}': {
    params: { file: 'file_00000000000000000000000000000000' },
    fixed: ['file'],
  },
  'POST /api/v1/conversations/{id}/files/{file}/copy': {
    params: { file: 'file_00000000000000000000000000000000' },
    fixed: ['file'],
  },
  'POST /api/v1/agents/{slug}/chat': { body: { message: 'hello' } },
  'POST /api/v1/agents/{slug}/runs': { body: { prompt: 'hello' } },
}
