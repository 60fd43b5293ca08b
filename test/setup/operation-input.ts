import { operations } from '../../src/features/operations.ts'

/** Bodies that operations accept, for those that need one. */
const bodies: Readonly<Record<string, object>> = {
  createUpload: { mediaType: 'text/plain', content: new Uint8Array(1) },
  createSchedule: { name: 'digest', tool: 'text.echo', when: { cron: '0 9 * * 1-5' } },
  previewSchedule: { when: { cron: '0 9 * * 1-5' } },
  writeLabel: { reads: [] },
  installSkill: { zip: new Uint8Array() },
  readSkillFile: { path: 'SKILL.md' },
  searchTools: { q: 'x' },
  createAgent: { slug: 'x' },
  addGrant: { pattern: '*' },
  removeGrant: { pattern: '*' },
  writePolicyDocument: { body: {} },
  matchPatterns: { patterns: [] },
  writeSecret: { value: 'a-value-1' },
  createTenant: { slug: 'acme' },
  changeTenant: {},
  deleteTenant: { confirm: 'x' },
  createMember: { email: 'ada@example.com' },
  createInvitation: { email: 'ada@example.com', role: 'member' },
  changeAccount: { name: 'Ada' },
  changePassword: { password: 'a password of hers' },
  writeLimit: { of: 'tenant', concurrent: 1 },
  createKey: { name: 'k', scopes: ['tools.call'] },
  issueToken: { visitor: 'v', scopes: ['tools.call'] },
  checkTokens: { tokens: ['crib_x'] },
  addMcpServer: { name: 'docs', url: 'https://docs.example.com/mcp' },
  acceptMcpTool: { hash: '0'.repeat(64) },
  rejectMcpTool: { hash: '0'.repeat(64) },
  decideMcpTools: { decisions: [{ tool: 'x', hash: '0'.repeat(64), verdict: 'accept' }] },
  decideApproval: { decision: 'approve' },
  decideApprovals: { decisions: [{ id: 'x', decision: 'approve' }] },
  startRun: { prompt: 'hello' },
}

/** Well-formed input for an operation; what its path names is not there. */
export function operationInput(name: string): object {
  const { params } = operations[name as keyof typeof operations]
  return {
    ...bodies[name],
    ...Object.fromEntries(Object.keys(params).map((key) => [key, 'x'])),
  }
}
