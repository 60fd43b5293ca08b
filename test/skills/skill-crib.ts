import { zipSync } from 'fflate'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import { isToolError } from '../../src/core/kernel/errors.ts'
import type { OpenStores } from '../../src/features/open-stores.ts'
import { createTestCrib } from '../../src/testing/index.ts'

export const owner = ownerOf()

const says = (name: string, more: { approval?: 'always'; tenants?: string[] } = {}) =>
  defineTool({
    name,
    description: 'Says its name.',
    effect: 'read',
    ...more,
    inputSchema: z.object({}),
    execute: () => name,
  })

const calls = defineTool({
  name: 'work.outer',
  description: 'Calls the tool that it is told to.',
  effect: 'read',
  inputSchema: z.object({ tool: z.string() }),
  execute: ({ tool }, { call }) => call(tool, {}),
})

/** A crib with tools, two agents, and another tenant that has one of the same name. */
export function openSkillCrib(
  config: Partial<NonNullable<Parameters<typeof createTestCrib>[0]>['config'] & object> = {},
  store?: OpenStores,
): Promise<Crib> {
  const tools = [
    says('work.one'),
    says('work.two'),
    says('work.three'),
    says('work.asks', { approval: 'always' }),
    says('work.foreign', { tenants: ['other'] }),
    calls,
  ]
  const agents = [{ slug: 'bare' }, { slug: 'full', tools: { allow: ['work.*'] } }]
  const tenants = [{ slug: 'other', agents: [{ slug: 'bare' }] }]
  return createTestCrib({ store, tools, config: { agents, tenants, ...config } })
}

/** The zip of a skill. */
export function zipOf(
  frontMatter: string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array {
  const text = `---\ndescription: A skill for tests\n${frontMatter}\n---\nDo it well.\n`
  const entries = Object.entries({ 'SKILL.md': text, ...files }).map(([path, content]) => [
    path,
    typeof content === 'string' ? new TextEncoder().encode(content) : content,
  ])
  return zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>)
}

export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  )

/** The names of the tools that an agent sees. */
export async function seenBy(crib: Crib, agent: string, skill?: string): Promise<string[]> {
  return (await crib.tools({ agent, skill })).map(({ name }) => name)
}
