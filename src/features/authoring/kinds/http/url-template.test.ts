import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillUrl, parseUrlTemplate } from './url-template.ts'

function fill(url: string, input: unknown): string {
  const template = parseUrlTemplate(url)
  if ('problem' in template) throw new Error(template.problem)
  return fillUrl(template, { input }).href
}

test('values of the path and the query are encoded', () => {
  const url = 'https://api.test/v1/customers/{{input.id}}.json?q={{input.q}}&all=1'
  expect(fill(url, { id: 'a/b ?#%', q: 'x&all=2' })).toBe(
    'https://api.test/v1/customers/a%2Fb%20%3F%23%25.json?q=x%26all%3D2&all=1',
  )
  expect(fill('https://api.test/?q={{input.q}}', {})).toBe('https://api.test/?q=')
})

test.each([
  ['https://{{input.host}}/x', 'must have a literal host'],
  ['https://api.{{input.tld}}/x', 'must have a literal host'],
  ['https://api.test:{{input.port}}/x', 'must have a literal host'],
  ['{{input.url}}', 'must start with http'],
  ['{{input.scheme}}://api.test', 'must start with http'],
  ['file:///etc/passwd', 'must start with http'],
  ['//api.test/x', 'must start with http'],
  ['https://user:key@api.test/x', 'must not hold a name or a password'],
  ['https://api.test\\@evil.test/x', 'must not have spaces, backslashes'],
  ['https://api.test/a\tb', 'must not have spaces, backslashes'],
  ['https://api.test/#part', 'must not have a fragment'],
  ['https://api.test/a/../b', 'must not have the segments'],
  ['https://api.test/{{input.}}', 'has braces without a valid reference'],
  ['https:///x', 'has no valid host'],
  ['https://[::1/x', 'has no valid host'],
])('%s is refused when it is saved', (url, problem) => {
  const template = parseUrlTemplate(url)
  expect('problem' in template ? template.problem : 'accepted').toContain(problem)
})

test.each([[''], ['..'], ['.'], [undefined], [null], [{ a: 1 }], [['a']], ['\ud800']])(
  'the path takes no %j, which would lead to another resource',
  (id) => {
    expect(() => fill('https://api.test/customers/{{input.id}}/notes', { id })).toThrow(
      /can't be part of the address/,
    )
  },
)

test('no value leads to another host or a shorter path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
      fc.pre(!/^\.{1,2}$/.test(id) && id.isWellFormed())
      const url = new URL(fill('https://api.test/a/{{input.id}}/b?c={{input.id}}', { id }))
      expect(url.origin).toBe('https://api.test')
      expect(url.pathname.split('/')).toHaveLength(4)
      expect([...url.searchParams.keys()]).toEqual(['c'])
      expect(decodeURIComponent(url.pathname.split('/')[2] ?? '')).toBe(id)
    }),
  )
})
