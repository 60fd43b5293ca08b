import { ownWrites } from '../../doors/cli/output/own-write.ts'

/**
 * From now on stdout holds what the command itself answers, and nothing of what tools print while
 * they load or run. Returns the way back.
 */
export function printToStderr(): () => void {
  const { stdout, stderr } = process
  const write = stdout.write
  ownWrites.set(stdout, write.bind(stdout))
  stdout.write = stderr.write.bind(stderr)
  return () => {
    stdout.write = write
    ownWrites.delete(stdout)
  }
}
