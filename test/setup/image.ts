import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compilePackage } from '../../scripts/build-package.mjs'
import { findText, parseDockerfile, type Stage, toVariables } from './dockerfile.ts'

const root = path.join(import.meta.dirname, '../..')

/** The last stage of the Dockerfile as files below a folder that stands for `/`. */
export interface Image {
  stages: readonly Stage[]
  env: Readonly<Record<string, string>>
  entrypoint: readonly string[]
  command: readonly string[]
  /** A path of the container on this machine. */
  toHost(place: string): string
  remove(): Promise<void>
}

/**
 * Does what the Dockerfile does, as far as that goes without Docker: the same files in the same
 * places, the package built by the same compiler and settings. The modules are those of the checkout.
 */
export async function buildImage(): Promise<Image> {
  const stages = parseDockerfile(await readFile(path.join(root, 'deploy/Dockerfile'), 'utf8'))
  const final = stages.at(-1) ?? []
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib image '))
  const toHost = (place: string) => path.join(folder, path.posix.resolve('/app', place))
  for (const { name, text, flags } of final) {
    if (name === 'COPY') await copy(text.split(/\s+/), flags['from'], toHost)
  }
  return {
    stages,
    env: toVariables(final),
    entrypoint: JSON.parse(findText(final, 'ENTRYPOINT')) as string[],
    command: JSON.parse(findText(final, 'CMD')) as string[],
    toHost,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function copy(
  words: readonly string[],
  stage: string | undefined,
  toHost: (place: string) => string,
): Promise<void> {
  const last = words.at(-1) ?? ''
  const target = toHost(last)
  await mkdir(path.dirname(target), { recursive: true })
  if (stage === 'modules') return symlink(path.join(root, 'node_modules'), target)
  // The console was built before the tests began.
  if (last === 'console/dist') return cp(path.join(root, last), target, { recursive: true })
  if (stage === 'build') return build(target)
  for (const source of words.slice(0, -1)) {
    const place = last.endsWith('/') ? path.join(target, path.basename(source)) : target
    await cp(path.join(root, source), place, { recursive: true })
  }
}

/**
 * The compiler of `npm run build`, into another folder: the checkout's own dist/ is left alone. It
 * writes the same files; the types have been checked before the tests, which takes four times as long.
 */
async function build(target: string): Promise<void> {
  const code = await compilePackage(target, ['--noCheck'])
  if (code !== 0) throw new Error(`The package could not be built: its compiler ended with ${code}`)
}
