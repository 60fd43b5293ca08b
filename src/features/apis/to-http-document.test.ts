import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkHttp } from '../authoring/kinds/http/check-http.ts'
import { readApi } from './document/read-api.ts'
import { toHttpDocument } from './to-http-document.ts'

const fixture = new URL('../../../test/fixtures/apis/github.yaml', import.meta.url)

test('an operation becomes a document of a tool that sends the same request', async () => {
  const { operations } = await readApi({ text: readFileSync(fixture, 'utf8') })
  const spec = {
    server: 'https://api.code.example',
    auth: {},
    headers: { authorization: 'Bearer secret:code_token' },
  }
  const drafts = operations.map(({ definition }) =>
    toHttpDocument(definition, { api: 'code', spec, schemes: [] }),
  )
  const create = drafts.find(({ document }) => document.name === 'code.issues.create')
  expect(create?.document.spec).toEqual({
    kind: 'http',
    method: 'POST',
    url: 'https://api.code.example/repos/{{input.owner}}/{{input.repo}}/issues',
    headers: { authorization: 'Bearer secret:code_token' },
    body: { title: '{{input.title}}', assignees: '{{input.assignees}}' },
    bodyType: 'json',
  })
  expect(create?.findings).toEqual([])
  const wrong = drafts.flatMap(({ document }) => checkHttp(document))
  expect(wrong.filter(({ severity }) => severity === 'error')).toEqual([])
})
