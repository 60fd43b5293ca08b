import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { CliEnvironment } from '../../environment.ts'
import { type JunitSuite, toJunit } from '../../output/to-junit.ts'

/** Writes a JUnit report into a file, relative to the folder of the command. */
export async function writeJunit(
  { cwd }: Pick<CliEnvironment, 'cwd'>,
  path: string,
  suites: readonly JunitSuite[],
): Promise<void> {
  const file = resolve(cwd, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, toJunit(suites))
}
