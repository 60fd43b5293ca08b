import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkTools } from '../src/app/check-tools.ts'
import { examine } from '../src/app/doctor.ts'
import { startServerProcess } from './setup/server-process.ts'

const tool = `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: 'mail.send',
  description: 'Sends a mail to whoever is named.',
  effect: 'write',
  inputSchema: z.object({}),
  execute: () => ({}),
})`

/** What is right stands beside each slip. */
const config = {
  groups: { post: ['mail.*', 'psot.*'] },
  profiles: { quiet: { allow: ['skill.*', 'skil.*'] } },
  policy: { deny: ['mail.sned', 'tools.search', 'pack:skill'] },
  approvals: { rules: [{ tools: ['mail.send', 'mail.drop'] }] },
  labels: { 'mial.*': { reads: ['private'] } },
  limits: { rules: [{ name: 'slow', of: 'tool', match: 'mial.*', callsPerMinute: 1 }] },
  mcpServers: { far: { command: 'node', enabled: false } },
  agents: [
    { slug: 'asked', description: 'Answers.' },
    {
      slug: 'post',
      tools: { allow: ['mail.*', 'group:post', 'mcp:far:*', 'agent:asked', 'agent:aksed'] },
      hooks: { confirm: ['mial.*', 'mail.send'], log: ['pack:mial'], silent: ['*.any'] },
      settings: { 'mail.snd': { needsApproval: true } },
    },
  ],
}
const slips = [
  'Group post: psot.* matches no tool at the moment',
  'Profile quiet: allow skil.* matches no tool at the moment',
  'Policy: deny mail.sned matches no tool at the moment',
  'Limit slow: match mial.* matches no tool at the moment',
  'Approval rule: tools mail.drop matches no tool at the moment',
  'Labels: mial.* matches no tool at the moment',
  expect.stringContaining('Agent post: no tool is called mail.snd; did you mean "mail.send"?'),
  'Agent post: allow agent:aksed matches no tool at the moment',
  'Agent post: hooks.confirm mial.* matches no tool at the moment',
  'Agent post: hooks.log pack:mial matches no tool at the moment',
]

let cwd: string
let options: { cwd: string; config: string; tools: string[]; data: string }
beforeAll(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'toolcrib slips '))
  await mkdir(path.join(cwd, 'tools'))
  await writeFile(path.join(cwd, 'tools/mail.tool.ts'), tool)
  const file = path.join(cwd, 'toolcrib.config.json')
  await writeFile(file, JSON.stringify(config))
  options = { cwd, config: file, tools: [], data: path.join(cwd, 'data') }
})
afterAll(() => rm(cwd, { recursive: true, force: true }))

test('check and doctor warn of rules that fit no tool', async () => {
  const { findings, tools } = await checkTools(options)
  const rules = findings.filter(({ rule }) => rule === 'policy')
  expect(rules.map(({ message }) => message)).toEqual(slips)
  expect(rules[0]).toMatchObject({ file: options.config, severity: 'warning' })
  expect(tools).toBe(1)
  const examined = await examine({ ...options, json: true })
  const told = examined.filter(({ name, level }) => name === 'rules' && level === 'warning')
  expect(told.map(({ message }) => message)).toEqual(slips)
})

test('a server is ready with a warning of each, and logs it', async () => {
  const server = await startServerProcess({ cwd, data: options.data })
  try {
    expect(server.warnings).toEqual(slips)
    expect(server.errors()).toContain('hooks.confirm mial.* matches no tool')
  } finally {
    await server.stop()
  }
})
