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

test('a server survives the form unchanged', () => {
  expect([toSpec(toDraft(program)), toSpec(toDraft(address))]).toEqual([program, address])
})

test('empty fields are not sent', () => {
  expect(toSpec({ ...blankServer, url: ' https://a.example/mcp ' })).toEqual({
    url: 'https://a.example/mcp',
  })
})

test('a change has only the fields that differ, and null for removed ones', () => {
  const draft = { ...toDraft(address), headers: [], isEnabled: true, title: 'Docs' }
  expect(toServerChange(address, draft)).toEqual({ headers: null, enabled: null, title: 'Docs' })
  expect(toServerChange(program, toDraft(program))).toEqual({})
})
