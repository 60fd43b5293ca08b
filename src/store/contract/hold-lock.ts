import { isToolError } from '../../core/kernel/errors.ts'
import { lockFolder } from '../engine/pglite/folder-lock.ts'

// A program for tests: takes the folder's lock, prints that, and holds it for the given time.
const [, , folder = '', holdMs = '0'] = process.argv
try {
  const lock = await lockFolder(folder)
  process.stdout.write('locked\n')
  setTimeout(() => {
    process.stdout.write('released\n')
    void lock.release()
  }, Number(holdMs))
} catch (error) {
  process.stdout.write(
    `${isToolError(error) ? `${error.code} ${String(error.details['pid'])}` : String(error)}\n`,
  )
}
