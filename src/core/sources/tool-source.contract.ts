import { beforeEach, describe, expect, test } from 'vitest'
import { defineTool } from '../define-tool.ts'
import type { ToolOrigin } from '../kernel/tool.ts'
import { createRegistry } from '../registry.ts'
import type { TenantView } from '../rules/tenant-view.ts'
import type { RefusedTools, ToolSource } from './tool-source.ts'
import { createToolSources, type ToolSources } from './tool-sources.ts'

/** A source with tools, and a description of them. */
export interface OpenSource {
  source: ToolSource
  /** The origin in the contracts of its tools. */
  kind: ToolOrigin
  /** A shared tool, if the source has any. */
  everyones?: string
  /** A tool of the tenant `acme` only, if the source has any. */
  own?: string
  /** Loads its tools, if attaching alone does not. Resolves with the refused ones. */
  load?(): Promise<readonly RefusedTools[]>
  /** Replaces the tool with a new version, and notifies. */
  change?(): Promise<void>
  /** Removes the tool, and notifies. */
  remove?(): Promise<void>
}

export const acme = { tenant: { slug: 'acme' }, rules: new Map() } as unknown as TenantView
const other = { ...acme, tenant: { slug: 'other' } } as TenantView

/** The contract of every source of tools. */
export function testToolSource(name: string, open: () => Promise<OpenSource>): void {
  describe(`tools from ${name}`, () => {
    const registry = () => attached.registry
    let opened: OpenSource
    let attached: Awaited<ReturnType<typeof attach>>
    beforeEach(async () => {
      opened = await open()
      attached = await attach(opened)
    })
    const tenant = () => (opened.own === undefined ? undefined : 'acme')
    const entry = () => registry().find(opened.own ?? opened.everyones ?? '', tenant())

    test('are in the registry under their names, with their origin', () => {
      expect(attached.refused).toEqual([])
      expect(entry()?.contract.source).toBe(opened.kind)
      expect(entry()?.version).toMatch(/^[0-9a-f]{8,}$/)
    })

    test('are the same objects until they change', async () => {
      for (const owner of ['everyone', acme] as const) {
        const [first, second] = [
          await opened.source.toolsFor(owner),
          await opened.source.toolsFor(owner),
        ]
        expect(second.map(({ tool }) => tool)).toEqual(first.map(({ tool }) => tool))
        expect(second.every(({ tool }, index) => tool === first[index]?.tool)).toBe(true)
      }
    })

    test('of one tenant are not found by another', () => {
      if (opened.own === undefined) {
        expect(registry().list('acme')).toEqual(registry().list('other'))
        return
      }
      expect(registry().find(opened.own)).toBeUndefined()
      expect(registry().find(opened.own, 'other')).toBeUndefined()
    })

    test('change and disappear when the source notifies', async () => {
      const before = entry()
      await opened.change?.()
      if (opened.change !== undefined) {
        expect(entry()).not.toBe(before)
        expect(entry()?.version).not.toBe(before?.version)
      }
      await opened.remove?.()
      expect(entry() === undefined).toBe(opened.remove !== undefined)
    })

    test('never take a name that is already used', async () => {
      const again = await open()
      const taken = again.own ?? again.everyones ?? ''
      const there = defineTool({
        name: taken.includes(':') ? 'here.first' : taken,
        description: 'Was here before the source was attached.',
        effect: 'read',
        inputSchema: { type: 'object' },
        execute: () => 'first',
      })
      const first = { ...there, contract: { ...there.contract, name: taken } }
      const { registry, refused } = await attach(again, async (sources) => {
        await sources.attach({
          name: 'first',
          toolsFor: async (owner) => (owner === 'everyone' ? [{ tool: first }] : []),
        })
      })
      expect(registry.find(taken, 'acme')?.tool).toBe(first)
      const isQuiet = again.source.isYielding === true || again.own !== undefined
      expect(refused.map(({ error }) => error.message)).toEqual(
        isQuiet ? [] : [expect.stringContaining(`Two tools are named ${taken}`)],
      )
    })
  })
}

async function attach(
  { source, load }: OpenSource,
  before: (sources: ToolSources) => Promise<void> = async () => undefined,
) {
  const registry = createRegistry()
  const views = [acme, other]
  const sources = createToolSources(registry, {
    find: async (slug) => views.find(({ tenant }) => tenant.slug === slug),
    subscribe: () => () => undefined,
  })
  await before(sources)
  const atOnce = await sources.attach(source)
  const refused = [...atOnce, ...((await load?.()) ?? [])]
  await sources.readyFor('acme')
  await sources.readyFor('other')
  return { registry, refused }
}
