import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { EscapeReport } from './try-escapes.ts'

const module = new URL('try-escapes.ts', import.meta.url).href
const script = `const { tryEscapes } = await import(${JSON.stringify(module)})
process.stdout.write(JSON.stringify(await tryEscapes(process.argv.slice(1))))`

/** Not root, and nobody else on this machine. */
export const ordinaryUser = 65_300

/** Tries to get out of the sandbox in a process of an ordinary user. */
export async function escapeAsUser(names: readonly string[] = []): Promise<EscapeReport> {
  const isRoot = process.getuid?.() === 0
  const args = ['--input-type=module', '--eval', script, ...names]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: '/',
    env: { PATH: process.env['PATH'], TMPDIR: '/tmp', HOME: '/tmp' },
    ...(isRoot && { uid: ordinaryUser, gid: ordinaryUser }),
  })
  return JSON.parse(stdout) as EscapeReport
}
