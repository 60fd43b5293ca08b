import { z } from 'zod'
import { pageLimit, pageOf, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { searchedWords } from '../../core/operations/query-fields.ts'
import { fitsWords } from '../../core/search/fits-words.ts'
import { readListing } from './listing.ts'
import { addApi, changeApi, readPlace, refreshApi, removeApi } from './manage/change-api.ts'
import { checkApi } from './manage/check-api.ts'
import { toListed } from './manage/keep-listing.ts'
import { effectOf } from './model.ts'
import { type ApiParts, findApi, listApis as storedApis } from './parts.ts'
import {
  type Api,
  api,
  apiChange,
  apiPreview,
  apiPreviewRequest,
  apiRefresh,
  apiRefreshRequest,
  apiRequest,
} from './schemas.ts'
import { showApi, toApi } from './show-api.ts'

const define = operationsOf<ApiParts>('APIs')
const params = { name: 'The name of the API' }
const readers = { oneOf: ['apis.manage', 'tools.approve', 'policy.read'] } as const
const needs = 'apis.manage'
const agents = 'none'
const asApi = { description: 'The API', schema: api }
const refusals = { 409: 'It already exists, has changed since, or the configuration declares it' }

const listApis = define({
  http: 'GET /api/v1/apis',
  summary: 'List imported APIs',
  needs: readers,
  agents,
  query: z.strictObject({
    after: shortText('The `next` of the previous page').optional(),
    q: searchedWords('Words in the name, title or address'),
    limit: pageLimit(50, 100),
  }),
  answer: { description: 'A page of APIs', schema: pageOf(api) },
  async run({ after = '', limit, q }, { caller: { tenant }, parts }) {
    const view = await parts.views.findView(tenant)
    const found = (await storedApis(parts, tenant)).filter(({ name, spec }) => {
      return name > after && fitsWords(q, [name, spec?.title, spec?.url, spec?.server])
    })
    const some = found.slice(0, limit)
    const items: Api[] = []
    for (const stored of some) {
      const listing = readListing(await parts.rules.find(tenant, 'api-tools', stored.name))
      items.push(toApi(stored, listing, view))
    }
    const next = some.at(-1)?.name
    return found.length > some.length && next !== undefined ? { items, next } : { items }
  },
})

const previewApi = define({
  http: 'POST /api/v1/apis/preview',
  summary: 'Read an OpenAPI or Swagger document without keeping it',
  description:
    'Lists the operations that would become tools, with their problems. Pass `hash` on to `POST /apis`, which then refuses a document that has changed.',
  needs,
  agents,
  body: apiPreviewRequest,
  answer: { description: 'Its operations', schema: apiPreview },
  async run({ url, document, upload, server, private: isPrivate }, { caller, parts, signal }) {
    const settings = {
      ...(url !== undefined && { url }),
      ...(server !== undefined && { server }),
      ...(isPrivate !== undefined && { private: isPrivate }),
    }
    const spec = checkApi(settings, caller, parts.terms)
    const place = { url, document, upload }
    const read = await readPlace(parts, caller, {
      ...place,
      spec,
      pack: 'api',
      isPreview: true,
      signal,
    })
    const operations = read.operations
      .map(toListed)
      .map(({ hash: _hash, hasHidden: _hidden, ...operation }) => ({
        ...operation,
        effect: effectOf(operation.method),
      }))
    return { hash: read.hash, ...read.facts, operations }
  },
})

const addImportedApi = define({
  http: 'POST /api/v1/apis',
  summary: 'Import an API from an OpenAPI or Swagger document',
  description:
    'Its operations appear as `api:<name>:<operation>`. Secrets are named, never given: the host of `server` gets them, and no other.',
  needs,
  agents,
  body: apiRequest,
  answer: { ...asApi, status: 201 },
  refusals,
  async run({ name, hash, url, document, upload, ...settings }, { caller, parts }) {
    await addApi(parts, caller, { name, hash, url, document, upload, settings })
    return showApi(parts, caller, name)
  },
})

const findImportedApi = define({
  http: 'GET /api/v1/apis/{name}',
  summary: 'Read one imported API',
  needs: readers,
  agents,
  params,
  answer: asApi,
  run: ({ name }, { caller, parts }) => showApi(parts, caller, name),
})

const changeImportedApi = define({
  http: 'PATCH /api/v1/apis/{name}',
  summary: 'Change the settings of an imported API',
  description: 'Fields in the request replace the previous ones; null removes one.',
  needs,
  agents,
  params,
  body: apiChange,
  answer: asApi,
  refusals,
  async run({ name, ...change }, { caller, parts }) {
    await changeApi(parts, caller, { name, change })
    return showApi(parts, caller, name)
  },
})

const removeImportedApi = define({
  http: 'DELETE /api/v1/apis/{name}',
  summary: 'Remove an imported API with its tools',
  needs,
  agents,
  params,
  refusals,
  run: ({ name }, { caller, parts }) => removeApi(parts, caller, name),
})

const refreshImportedApi = define({
  http: 'POST /api/v1/apis/{name}/refresh',
  summary: 'Read the document of an API again',
  description:
    'New operations are available at once. Changed ones are quarantined until somebody accepts them. Tools of removed operations disappear.',
  needs,
  agents,
  params,
  body: apiRefreshRequest,
  isBodyOptional: true,
  answer: { description: 'The API, and what has changed', schema: apiRefresh },
  refusals,
  async run({ name, document, upload }, { caller, parts }) {
    await findApi(parts, caller, name)
    const changes = await refreshApi(parts, caller, { name, document, upload })
    return { api: await showApi(parts, caller, name), ...changes }
  },
})

/** Managing imported APIs, by library method. */
export const apiOperations = {
  listApis,
  previewApi,
  addApi: addImportedApi,
  findApi: findImportedApi,
  changeApi: changeImportedApi,
  removeApi: removeImportedApi,
  refreshApi: refreshImportedApi,
}
