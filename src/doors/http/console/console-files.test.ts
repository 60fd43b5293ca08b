import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HttpRequest } from '../request/http-request.ts'
import type { Reply } from '../reply.ts'
import { openConsoleFiles } from './console-files.ts'

describe('the files of a console', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'console files '))
    await build('one')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  let builds = 0
  /** The files of a build: a page, and a script whose name changes with it. */
  async function build(name: string): Promise<void> {
    await rm(folder, { recursive: true, force: true })
    await mkdir(path.join(folder, 'assets'), { recursive: true })
    await writeFile(path.join(folder, `assets/app-${name}.js`), `script ${name}`)
    await writeFile(path.join(folder, `assets/app-${name}.js.br`), `small ${name}`)
    await writeFile(path.join(folder, `assets/late-${name}.js`), `late ${name}`)
    await writeFile(path.join(folder, 'index.html'), `page ${name}`)
    // Two builds within the same tick of the clock are not what this is about.
    const at = new Date(2026, 0, 1, 0, (builds += 1))
    await utimes(path.join(folder, 'index.html'), at, at)
  }
  function open() {
    const files = openConsoleFiles(folder)
    if (files === undefined) throw new Error('No console')
    return files
  }
  const ask = (address: string, encoding = '') =>
    ({
      path: address,
      header: (name: string) => (name === 'accept-encoding' ? encoding : undefined),
    }) as HttpRequest
  const textOf = (reply: Reply | undefined) =>
    reply?.body instanceof Uint8Array ? new TextDecoder().decode(reply.body) : undefined

  test('are sent as small as the client accepts them, and cached for good if their name has a hash', () => {
    const files = open()
    const small = files.file(ask('/assets/app-one.js', 'gzip, br'))
    expect(textOf(small)).toBe('small one')
    expect(small?.headers).toEqual(['vary', 'accept-encoding', 'content-encoding', 'br'])
    expect(small?.cacheControl).toContain('immutable')
    expect(textOf(files.file(ask('/assets/app-one.js')))).toBe('script one')
    expect(files.file(ask('/assets/../index.html'))).toBeUndefined()
    expect(files.file(ask('/assets'))).toBeUndefined()
  })

  test('of a build that is replaced in between: the new page, its files, and no error for missing ones', async () => {
    const files = open()
    expect(textOf(files.file(ask('/assets/app-one.js')))).toBe('script one')
    await build('two')
    expect(textOf(await files.page(ask('/')))).toBe('page two')
    expect(textOf(files.file(ask('/assets/app-two.js')))).toBe('script two')
    // A page of the first build is still open somewhere: it gets what was read before.
    expect(textOf(files.file(ask('/assets/app-one.js')))).toBe('script one')
    expect(files.file(ask('/assets/late-one.js'))).toBeUndefined()
  })

  test('a new script is found before anybody has asked for the new page', async () => {
    const files = open()
    await build('two')
    expect(textOf(files.file(ask('/assets/app-two.js')))).toBe('script two')
  })

  test('while a build is being made the known page is served, and missing files are not found', async () => {
    const files = open()
    await rm(folder, { recursive: true, force: true })
    expect(textOf(await files.page(ask('/')))).toBe('page one')
    expect(files.file(ask('/assets/app-one.js'))).toBeUndefined()
    await build('two')
    expect(textOf(await files.page(ask('/')))).toBe('page two')
  })

  test('there is no console without a build', async () => {
    await rm(path.join(folder, 'index.html'))
    expect(openConsoleFiles(folder)).toBeUndefined()
  })
})
