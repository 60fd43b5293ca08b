import { expect, test } from 'vitest'
import { z } from 'zod'
import type { SpecKind } from '../kinds/spec-kind.ts'
import { readDocument } from './read-document.ts'
import { documentBounds } from './tool-document.ts'

interface EchoSpec {
  kind: 'echo'
  says: string
}

const echo: SpecKind<EchoSpec> = {
  kind: 'echo',
  schema: z.strictObject({ kind: z.literal('echo'), says: z.string().max(2_000_000) }),
  check: () => [],
  derive: () => ({ effect: 'read' }),
  toBehaviour: ({ spec }) => ({ execute: () => spec.says }),
}

const given = {
  name: 'demo.hello',
  description: 'Says hello to whoever asks for it.',
  inputSchema: { type: 'object', properties: {} },
  spec: { kind: 'echo', says: 'Hello' },
}
const read = (document: unknown) => readDocument(document, [echo])
const findings = (document: unknown) =>
  read(document).findings.map(({ path, message }) => `${path} ${message}`)

test('a document is read as it was written, with its kind', () => {
  expect(read(given)).toEqual({ document: given, kind: echo, findings: [] })
})

test('all problems are reported at once, with their places', () => {
  const wrong = {
    ...given,
    name: 'Not A Name',
    timeoutMs: 'soon',
    tenants: ['other'],
    env: ['HOME'],
    inputSchema: 'none',
    spec: { kind: 'echo', says: 1, shouts: true },
  }
  expect(findings(wrong)).toEqual([
    expect.stringMatching(/^\/name must be lower-case words joined by dots/),
    '/timeoutMs must be a number',
    '/inputSchema must be a JSON Schema object',
    '/tenants is not a field of a tool',
    '/env is not a field of a tool',
    '/spec/says must be a string',
    '/spec/shouts is not a field of this spec',
  ])
})

test('an unknown kind names the nearest one', () => {
  expect(findings({ ...given, spec: { kind: 'ecko' } })).toEqual([
    '/spec/kind is not a kind of spec; did you mean "echo"? Known: echo',
  ])
})

const unusable: [name: string, document: unknown, message: RegExp][] = [
  ['nothing', undefined, /^ must be an object/],
  ['a list', [], /^ must be an object/],
  ['a __proto__', JSON.parse('{"spec":{"__proto__":{"kind":"echo"}}}'), /__proto__/],
  [
    'more than the limit',
    { ...given, spec: { kind: 'echo', says: 'x'.repeat(1_048_576) } },
    /524288/,
  ],
  [
    'a deep value',
    { ...given, examples: deep(documentBounds.maxDepth + 1) },
    /nested deeper than 64/,
  ],
  ['no spec', { ...given, spec: undefined }, /^\/spec is missing/],
  ['a function', { ...given, inputSchema: () => undefined }, /must be a JSON value/],
]

test.each(unusable)('%s is refused', (_name, document, message) => {
  expect(findings(document).join('\n')).toMatch(message)
})

function deep(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}
