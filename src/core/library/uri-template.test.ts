import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileTemplate } from './uri-template.ts'

describe('the addresses of a template', () => {
  test.each([
    ['docs://{name}', 'docs://handbook', { name: 'handbook' }],
    ['docs://{name}', 'docs://a/b', undefined],
    ['docs://{+path}', 'docs://a/b', { path: 'a/b' }],
    ['docs://{a}/x/{b}', 'docs://1/x/2', { a: '1', b: '2' }],
    ['docs://{a}', 'docs://', undefined],
    ['docs://{a}.md', 'docs://read.me.md', { a: 'read.me' }],
    ['docs://(a|b){c}', 'docs://ax', undefined],
    ['docs://{a}', 'docs://%E0%A4%A', undefined],
    ['docs://fixed', 'docs://fixed', {}],
  ])('%s and %s', (template, uri, params) => {
    expect(compileTemplate(template)(uri)).toEqual(params)
  })

  test('any filled-in values are read back', () => {
    const value = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
    const check = (one: string, two: string) => {
      const uri = `x://${encodeURIComponent(one)}/y/${encodeURIComponent(two)}`
      expect(compileTemplate('x://{one}/y/{two}')(uri)).toEqual({ one, two })
    }
    fc.assert(fc.property(value, value, check))
  })

  test('forms that cannot be parsed back are refused', () => {
    for (const template of ['x://{?q}', 'x://{a,b}', 'x://{a', 'x://{a*}']) {
      expect(() => compileTemplate(template)).toThrow("can't be read back")
    }
  })

  test('a hostile address takes no time', () => {
    const match = compileTemplate('x://{a}-{b}-{c}-{d}-{e}')
    expect(match(`x://${'-'.repeat(5000)}/`)).toBeUndefined()
    expect(match(`x://${'a-'.repeat(1900)}/`)).toBeUndefined()
  })
})
