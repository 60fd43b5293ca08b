import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { apiOperations } from './operations.ts'
import { apiColumns, apiFacts, apiToolColumns } from './terminal.ts'
import type { apiToolOperations } from './tool-operations.ts'

const api = { name: { flag: 'api' } } as const
const one = { words: ['name'], options: api } as const

export const apisCommand: CommandGroup<typeof apiOperations & typeof apiToolOperations> = {
  name: 'apis',
  one: 'API',
  summary: 'Import APIs from OpenAPI and Swagger documents; their operations become tools.',
  commands: {
    listApis: {
      verb: 'list',
      options: { q: { value: 'WORDS' } },
      list: apiColumns,
      empty: ({ q }) =>
        q === undefined
          ? 'No APIs. → toolcrib apis add petstore --url https://petstore3.swagger.io/api/v3/openapi.json'
          : 'No API matches. → toolcrib apis list',
    },
    findApi: { verb: 'show', ...one, record: apiFacts },
    changeApi: [
      { verb: 'enable', ...one, sets: { enabled: true }, record: apiFacts },
      { verb: 'disable', ...one, sets: { enabled: false }, record: apiFacts },
    ],
    removeApi: {
      verb: 'remove',
      ...one,
      asks: (name) => `Remove ${name} with its tools?`,
      done: 'removed',
    },
    listApiTools: {
      verb: 'tools',
      ...one,
      list: apiToolColumns,
      empty: 'No operations are known. → toolcrib apis refresh <api>',
    },
    draftApiTool: { verb: 'document', words: ['name', 'tool'], options: api },
  },
  notes: [
    'Secrets are named, never given: --auth <scheme>=<secret> for a scheme of the document, or --header authorization="Bearer secret:<name>".',
  ],
  examples: [
    'toolcrib apis preview --url https://petstore3.swagger.io/api/v3/openapi.json',
    'toolcrib apis add github --file api.github.com.json --header authorization="Bearer secret:github_token" --include "issues.*"',
    'toolcrib apis refresh github',
    'toolcrib apis accept github issues.create',
    'toolcrib apis document github issues.create --json',
  ],
}
