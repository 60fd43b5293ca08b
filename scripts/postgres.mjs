import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findPostgresBinaries } from './postgres-binaries.mjs'
import { withProgress } from './progress.mjs'

/**
 * Starts a private, throw-away PostgreSQL. It belongs to a keeper process that stops and removes it
 * as soon as we are gone, whichever way we go: `kill -9` included.
 *
 * @param {{ fsync?: boolean }} [options] `fsync` is on by default, as in production
 * @returns {Promise<{ url: string, version: string, stop: () => Promise<void> }>}
 */
export async function startPostgres(options = {}) {
  const { bin, version } = await findPostgresBinaries()
  const keeper = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('postgres-keeper.mjs', import.meta.url)),
      bin,
      String(options.fsync ?? true),
    ],
    // Its own session: a Ctrl-C in the terminal must not take it down before the tests that use it.
    { detached: true, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const url = await withProgress('Starting PostgreSQL', firstLine(keeper))
  letGo(keeper)
  return { url, version, stop: () => stop(keeper) }
}

function firstLine(keeper) {
  return new Promise((resolve, reject) => {
    let complaint = ''
    keeper.stderr.setEncoding('utf8').on('data', (chunk) => (complaint += chunk))
    keeper.on('error', reject)
    keeper.on('close', () => reject(new Error(`PostgreSQL did not start: ${complaint.trim()}`)))
    createInterface({ input: keeper.stdout }).once('line', resolve)
  })
}

/** Whoever forgets `stop` still ends: then the pipe closes, and the keeper cleans up alone. */
function letGo(keeper) {
  keeper.unref()
  for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr]) stream.unref()
}

function stop(keeper) {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    keeper.ref()
    keeper.once('exit', () => resolve())
    keeper.stdin.end()
  })
}
