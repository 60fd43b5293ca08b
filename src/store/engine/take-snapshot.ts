import { copyFile, constants, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Snapshot } from '../../core/backup/backup.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { databaseFolder } from './pglite/pglite-folder.ts'
import type { PgliteSession } from './pglite/pglite-session.ts'

interface Places {
  /** A data folder. */
  from: string
  /** Empty, or missing: becomes a data folder with the same database. */
  to: string
}

const control = join('global', 'pg_control')
const wal = 'pg_wal'
/** Belong to a running process, not to the data. */
const leftOut = new Set(['postmaster.pid', 'toolcrib-in-use.json'])
/** A copy whose source file has disappeared uses the log's content instead. */
const gone = new Set(['ENOENT'])

/**
 * Copies the database while it is written to, as PostgreSQL's own base backups do: first a
 * checkpoint, with the control file that names it; then all files, in whatever state each is; last,
 * while nothing else happens, the write-ahead log since that checkpoint. Opening the copy replays
 * the log, which holds the whole of every page that was changed during the copy. So others wait for
 * the checkpoint and for some of the log, never for the data.
 */
export async function takeSnapshot(session: PgliteSession, places: Places): Promise<Snapshot> {
  const copier = createCopier(places)
  const began = await session.hold(({ run, exec }) =>
    copier.timed(async () => {
      await exec('checkpoint')
      await copier.copy(control)
      return readCheckpoint(run)
    }),
  )
  await copier.copyFolder('', (path) => path !== wal && path !== control && !leftOut.has(path))
  await session.hold(({ run }) =>
    copier.timed(async () => {
      const now = await readCheckpoint(run)
      if (now.redo !== began.redo) throw overtaken()
      await copier.copyFolder(wal, (path, isFolder) => {
        const name = path.slice(wal.length + 1)
        // Segments before are not needed, those after are empty ones that wait for their use.
        return isFolder || (name >= began.file && name <= now.current)
      })
    }),
  )
  return copier.report
}

type Run = Parameters<Parameters<PgliteSession['hold']>[0]>[0]['run']

async function readCheckpoint(run: Run) {
  const [row] = await run(checkpointStatement, [])
  const [redo = '', file = '', current = ''] = row ?? []
  return { redo: redo ?? '', file: file ?? '', current: current ?? '' }
}

const checkpointStatement = {
  name: 'snapshot_checkpoint',
  text: `select redo_lsn::text, redo_wal_file::text, pg_walfile_name(pg_current_wal_insert_lsn())
    from pg_control_checkpoint()`,
}

function createCopier({ from, to }: Places) {
  const report: Snapshot = { files: 0, bytes: 0, stalledMs: 0 }
  const [source, target] = [databaseFolder(from), databaseFolder(to)]
  async function copy(path: string): Promise<void> {
    const made = join(target, path)
    try {
      await mkdir(join(made, '..'), { recursive: true, mode: 0o700 })
      // Where the file system can share blocks, nothing is copied at all.
      await copyFile(join(source, path), made, constants.COPYFILE_FICLONE)
      report.files += 1
      report.bytes += (await stat(made)).size
    } catch (error) {
      if (!gone.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  async function copyFolder(
    folder: string,
    isWanted: (path: string, isFolder: boolean) => boolean,
  ): Promise<void> {
    // PostgreSQL wants its folders also where they are empty.
    await mkdir(join(target, folder), { recursive: true, mode: 0o700 })
    for (const entry of await readdir(join(source, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (!isWanted(path, entry.isDirectory())) continue
      if (entry.isDirectory()) await copyFolder(path, isWanted)
      else await copy(path)
    }
  }
  async function timed<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      report.stalledMs = Math.max(report.stalledMs, Math.round(performance.now() - startedAt))
    }
  }
  return { copy, copyFolder, timed, report }
}

/** The database was reopened in the meantime and has removed the log that the copy needs. */
function overtaken(): ToolError {
  return new ToolError('store_unavailable', 'The database was reopened while it was copied.', {
    fix: 'Try again.',
  })
}
