import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWireName, toWireNames } from '../kernel/names.ts'
import { offered } from '../search/offered.fixture.ts'
import { holdNames } from './hold-names.ts'
import type { OfferedTool, ToolOffer } from './tool-offer.ts'

/** An offer of tools with these names, with wire names as the registry assigns them. */
function offerOf(...names: string[]): ToolOffer {
  const tools = toWireNames(names).entries.map(([name, wireName]): OfferedTool => ({
    ...offered(name, [name, name]),
    wireName,
  }))
  return {
    tools,
    mode: 'list',
    find: (name) => tools.find((tool) => tool.wireName === name || tool.name === name),
  }
}

const wires = ({ tools }: ToolOffer) =>
  Object.fromEntries(tools.map(({ wireName, name }) => [wireName, name]))

test('a name that a conversation has used stays with its tool when another would take it', () => {
  const held = wires(offerOf('c.x_y'))
  expect(held).toEqual({ c_x_y: 'c.x_y' })
  const now = holdNames(offerOf('c.x_y', 'c_x_y', 'd.z'), held)
  expect(now.find('c_x_y')?.name).toBe('c.x_y')
  expect(now.tools.map(({ name }) => name)).toEqual(['c.x_y', 'c_x_y', 'd.z'])
  const [, other] = now.tools
  expect(other?.wireName).toMatch(/^c_x_y_[a-z0-9]+$/)
  expect(now.find(other?.wireName ?? '')?.name).toBe('c_x_y')
})

test('a used name stays reserved while its tool is missing', () => {
  const now = holdNames(offerOf('c_x_y'), { c_x_y: 'c.x_y' })
  expect(Object.keys(wires(now))).not.toContain('c_x_y')
  expect(now.find('c_x_y')).toBeUndefined()
})

test('without held names, the offer is the same object', () => {
  const offer = offerOf('a.b', 'a_b')
  expect(holdNames(offer, {})).toBe(offer)
  expect(holdNames(offer, wires(offer))).toBe(offer)
})

test('names stay unique, valid, and with their tools for any held names', () => {
  const name = fc.stringMatching(/^[a-c][._][a-c][._][a-c]$/)
  fc.assert(
    fc.property(fc.uniqueArray(name), fc.uniqueArray(name), (before, after) => {
      const held = wires(offerOf(...before))
      const now = holdNames(offerOf(...after), held)
      expect(new Set(now.tools.map(({ wireName }) => wireName)).size).toBe(after.length)
      for (const tool of now.tools) {
        expect(isWireName(tool.wireName)).toBe(true)
        if (Object.hasOwn(held, tool.wireName)) expect(held[tool.wireName]).toBe(tool.name)
        if (before.includes(tool.name)) expect(held[tool.wireName]).toBe(tool.name)
      }
    }),
  )
})
