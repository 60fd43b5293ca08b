import { expect, test } from 'vitest'
import { blankServer, toDraft, toServerChange, toSpec } from './server-draft.ts'

const program = {
  command: 'npx',
  args: ['-y', 'some server', '/srv'],
  env: { TOKEN: 'secret:token' },
  deny: ['drop_*'],
}
const address = {
  url: 'https://docs.example/mcp',
  headers: { authorization: 'Bearer secret:docs' },
  oauth: { scopes: ['read'], perUser: false },
  private: true,
  enabled: false,
}

test('a server comes out of the form as it went in', () => {
  expect([toSpec(toDraft(program)), toSpec(toDraft(address))]).toEqual([program, address])
})

test('what was not said is not sent', () => {
  expect(toSpec({ ...blankServer, url: ' https://a.example/mcp ' })).toEqual({
    url: 'https://a.example/mcp',
  })
})

test('a change has what is different, and null for what was taken away', () => {
  const draft = { ...toDraft(address), headers: [], isEnabled: true, title: 'Docs' }
  expect(toServerChange(address, draft)).toEqual({ headers: null, enabled: null, title: 'Docs' })
  expect(toServerChange(program, toDraft(program))).toEqual({})
})
