import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type * as HooksFile from '../../src/app/loader/module-hooks.ts'
import type * as Requests from '../../scripts/reference/command-requests.ts'
import { listRows, type Row } from '../fixtures/feature/list-rows.ts'

const root = path.resolve(import.meta.dirname, '../..')
const fixture = path.join(root, 'test/fixtures/feature')

/** The source of Toolcrib with one feature more, in a folder of its own. */
export interface SourceWithFeature {
  path: string
  /** Files of the feature, and files of the source that it changes. */
  added: readonly string[]
  changed: readonly string[]
  remove(): Promise<void>
}

/** Copies the source and builds the fixture feature into it, as somebody who adds a noun would. */
export async function createSourceWithFeature(): Promise<SourceWithFeature> {
  const copy = await mkdtemp(path.join(tmpdir(), 'toolcrib-feature-'))
  const remove = async () => {
    // Other files of tests run in this process afterwards.
    const hooks = path.join(copy, 'src/app/loader/module-hooks.ts')
    const loaded = (await import(hooks).catch(() => undefined)) as typeof HooksFile | undefined
    loaded?.removeModuleHooks()
    await rm(copy, { recursive: true, force: true })
  }
  try {
    for (const kept of ['src', 'scripts/reference', 'package.json', 'tsconfig.json']) {
      await cp(path.join(root, kept), path.join(copy, kept), { recursive: true })
    }
    await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
    const folder = 'src/features/notes'
    await cp(path.join(fixture, 'notes'), path.join(copy, folder), { recursive: true })
    for (const [file, rows] of Object.entries(listRows)) await insert(path.join(copy, file), rows)
    await writeReference(copy)
    const names = await readdir(path.join(copy, folder))
    const added = names.map((name) => `${folder}/${name}`)
    return { path: copy, added, changed: Object.keys(listRows), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Of what `npm run reference` writes, commands need this. */
async function writeReference(copy: string): Promise<void> {
  const file = path.join(copy, 'scripts/reference/command-requests.ts')
  const { commandRequests, commandRequestsFile } = (await import(file)) as typeof Requests
  await writeFile(commandRequestsFile, await commandRequests())
}

async function insert(file: string, rows: readonly Row[]): Promise<void> {
  let source = await readFile(file, 'utf8')
  for (const { after, text } of rows) {
    const [before, rest, ...others] = source.split(after)
    if (before === undefined || rest === undefined || others.length > 0) {
      throw new Error(`${file} does not have this once: ${after}`)
    }
    source = `${before}${after}\n${text}\n${rest}`
  }
  await writeFile(file, source)
}
