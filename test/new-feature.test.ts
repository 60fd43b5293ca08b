import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FetchLike } from '../src/doors/cli/environment.ts'
import { createTempDatabase, createTempFolder } from '../src/store/contract/temp-store.ts'
import type * as Library from '../src/app/index.ts'
import type { Operation } from '../src/core/operations/operation.ts'
import { rolePermissions } from '../src/core/policy/roles.ts'
import type * as DoorFile from '../src/doors/http/create-http-app.ts'
import type * as OwnerFile from '../src/app/owner.ts'
import type * as LineFile from '../src/doors/cli/testing/run-line.ts'
import type * as CopyFile from '../src/store/copy-store.ts'
import type * as RemovalFile from '../src/store/tenant-removal.ts'
import type * as PagesFile from '../scripts/reference/pages.ts'
import { findLeaks, findShown } from './isolation/find-leaks.ts'
import { generateSteps, routesOf } from './isolation/generate-steps.ts'
import type { ApiDocument } from './isolation/sample-request.ts'
import { type RouteName, type Step, toRequest } from './isolation/walk.ts'
import { askAs, guardsOf } from './permissions/ask-as.ts'
import { findGaps } from './permissions/find-gaps.ts'
import { createSourceWithFeature, type SourceWithFeature } from './setup/source-with-feature.ts'
import { variants } from './setup/run-length.ts'

// A noun costs one folder and its rows in five lists. The fixture is built into a copy of the source, so that
// nothing in production knows of it.

/** Without what `npm run reference` writes, and without the console. */
const mostFiles = 9

type Note = { id: string; title: string; text: string }

let source: SourceWithFeature
const load = async <T>(file: string) => (await import(path.join(source.path, file))) as T

beforeAll(async () => {
  source = await createSourceWithFeature()
})
afterAll(() => source.remove())

test(`a noun takes at most ${mostFiles} new or changed files`, () => {
  const files = [...source.added, ...source.changed]
  expect(files.length).toBeGreaterThan(5)
  expect({ files, isCheap: files.length <= mostFiles }).toEqual({ files, isCheap: true })
})

describe.each(variants(['embedded'], ['PostgreSQL']))('the new noun on the %s store', (kind) => {
  const closing: (() => Promise<void>)[] = []
  let crib: Awaited<ReturnType<typeof Library.createCrib>>
  let key: string
  beforeAll(async () => {
    const { createCrib } = await load<typeof Library>('src/app/index.ts')
    const { ownerOf } = await load<typeof OwnerFile>('src/app/owner.ts')
    const folder = await createTempFolder()
    closing.unshift(() => folder.remove())
    const database = kind === 'embedded' ? undefined : await createTempDatabase()
    if (database) closing.unshift(() => database.drop())
    const config = { tools: [], tenants: [{ slug: 'acme' }, { slug: 'beta' }] }
    const given = { data: folder.path, database: database?.url, config, env: {} }
    crib = await createCrib(given)
    closing.unshift(() => crib.close())
    key = (await crib.api.createKey(ownerOf(), { name: 'owner', scopes: ['*'] })).token
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  test('is listed, read, created, changed and deleted over HTTP', async () => {
    const made = await ask('POST /notes', { title: 'Milk', text: 'Two litres' })
    expect(made).toMatchObject({ status: 201, body: { title: 'Milk', text: 'Two litres' } })
    const { id } = made.body as Note
    expect(await ask(`GET /notes/${id}`)).toEqual({ status: 200, body: made.body })
    const changed = await ask(`PATCH /notes/${id}`, { text: 'One litre' })
    expect(changed).toMatchObject({ status: 200, body: { title: 'Milk', text: 'One litre' } })
    expect(await ask('GET /notes')).toEqual({ status: 200, body: { items: [changed.body] } })
    expect(await ask(`DELETE /notes/${id}`)).toEqual({ status: 204, body: null })
    expect((await ask(`GET /notes/${id}`)).status).toBe(404)
    expect(await ask('POST /notes', { title: 'Milk' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    })
    const { items } = (await ask('GET /audit?what=notes')).body as { items: { type: string }[] }
    expect(items.map(({ type }) => type).toSorted()).toEqual([
      'note.changed',
      'note.created',
      'note.deleted',
    ])
  })

  test('has methods of the library', async () => {
    const { ownerOf } = await load<typeof OwnerFile>('src/app/owner.ts')
    const owner = ownerOf()
    const api = crib.api as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
    const made = (await api['createNote']?.(owner, { title: 'Tea', text: 'Green' })) as Note
    expect(await api['findNote']?.(owner, { id: made.id })).toEqual(made)
    expect(await api['listNotes']?.(owner)).toEqual({ items: [made] })
    await expect(
      api['deleteNote']?.({ ...owner, permissions: [] }, { id: made.id }),
    ).rejects.toThrow('notes.manage')
    await api['deleteNote']?.(owner, { id: made.id })
  })

  test('has commands', async () => {
    const added = await run('notes', 'add', 'Bread', '--text', 'Rye')
    expect(added).toMatchObject({ code: 0, err: '' })
    const id = /note_[0-9a-f]{32}/.exec(added.out)?.[0] ?? ''
    expect((await run('notes')).out).toContain(`${id}  Bread`)
    expect((await run('notes', 'change', id, '--title', 'Rolls')).out).toMatch(/^title +Rolls$/m)
    const shown = await run('notes', 'show', id, '--json')
    expect(JSON.parse(shown.out)).toMatchObject({ id, title: 'Rolls', text: 'Rye' })
    expect(await run('notes', 'delete', id)).toMatchObject({ code: 0 })
    expect((await run('notes', 'show', id)).err).toContain('There is no note')
    expect((await run('--help')).out).toContain('keep short notes')
  })

  test('is in the walks of isolation and permissions', async () => {
    const door = await openDoor()
    const all = door.openApi() as unknown as ApiDocument
    const paths = Object.entries(all.paths).filter(([path]) => path.startsWith('/api/v1/notes'))
    const document = { ...all, paths: Object.fromEntries(paths) }
    const [theirs, ours] = [await keyFor('acme', ['*']), await keyFor('beta', ['*'])]
    const askWith = (token: string) => async (route: RouteName, step: Step) => {
      const { path, init } = toRequest(route, step, token)
      return door.request(`http://localhost${path}`, init)
    }
    const create = (route: RouteName, body: unknown) => askWith(theirs)(route, { params: {}, body })
    const steps = await generateSteps({ document, instances: {}, special: {}, create })
    const routes = ['GET', 'PATCH', 'DELETE'].map((method) => `${method} /api/v1/notes/{id}`)
    expect(Object.keys(steps)).toEqual(routes)
    expect(await findLeaks(askWith(ours), steps)).toEqual([])
    expect(await findShown(askWith(ours), routesOf(document), ['sample'])).toEqual([])
    const { noteOperations } = await load<{ noteOperations: Record<string, Operation> }>(
      'src/features/notes/operations.ts',
    )
    const guards = guardsOf(noteOperations)
    const askers = Object.entries(rolePermissions).map(([name, scopes]) => ({ name, scopes }))
    const ask = askAs(door, ({ scopes }) => keyFor('acme', [...scopes]))
    expect(await findGaps({ guards, askers, ask })).toEqual([])
  })

  async function openDoor() {
    const { createHttpApp } = await load<typeof DoorFile>('src/doors/http/create-http-app.ts')
    return createHttpApp({ api: crib.api, version: 'test' })
  }

  async function keyFor(tenant: string, scopes: string[]) {
    const { ownerOf } = await load<typeof OwnerFile>('src/app/owner.ts')
    return (await crib.api.createKey(ownerOf(tenant), { name: 'walker', scopes })).token
  }

  async function ask(route: string, sent?: unknown) {
    const [method = '', rest = ''] = route.split(' ')
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = sent === undefined ? {} : { body: JSON.stringify(sent) }
    const url = `http://localhost/api/v1${rest}`
    const response = await crib.fetch(new Request(url, { method, headers, ...body }))
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
  }

  async function run(...argv: string[]) {
    const { runLine } = await load<typeof LineFile>('src/doors/cli/testing/run-line.ts')
    const url = 'http://crib.local'
    const fetch: FetchLike = async (at, init) => crib.fetch(new Request(at, init))
    const server = { fetch, url, key, close: () => Promise.resolve() }
    return runLine(argv, { more: { openLocal: () => Promise.resolve(server) } })
  }
})

test('the store keeps, copies and removes its rows with those of every table', async () => {
  const { copiedTables } = await load<typeof CopyFile>('src/store/copy-store.ts')
  const { tenantTables } = await load<typeof RemovalFile>('src/store/tenant-removal.ts')
  expect(copiedTables).toContainEqual(expect.objectContaining({ name: 'notes' }))
  expect(tenantTables).toContainEqual(expect.objectContaining({ name: 'notes' }))
})

test('the reference describes its routes, commands and events', async () => {
  const { referencePages } = await load<typeof PagesFile>('scripts/reference/pages.ts')
  const pages = await referencePages()
  expect(pages['http.md']).toContain('`PATCH /api/v1/notes/{id}`')
  expect(pages['commands.md']).toContain('toolcrib notes add <title> --text')
  expect(pages['events.md']).toContain('`note.created`')
})
