import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCli } from '../doors/cli/run-cli.ts'
import type { CliEnvironment } from '../doors/cli/environment.ts'
import { catchStrayErrors } from './log/stray-errors.ts'
import { printToStderr } from './log/print-to-stderr.ts'
import { version } from './version.ts'

/**
 * The `toolcrib` command. Every part is loaded on demand: `--help` must not wait for a database.
 */
export async function main(argv: string[]): Promise<number> {
  const stray = catchStrayErrors({
    error(message, { stack } = {}) {
      const [error = '', place = ''] = String(stack).split('\n')
      process.stderr.write(`! ${message}: ${error}\n${place}\n`)
    },
  })
  const environment: CliEnvironment = {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    isTty: process.stdout.isTTY,
    // Terminals with an unknown width report 0.
    columns: process.stdout.columns || 80,
    cwd: process.cwd(),
    env: process.env,
    version,
    ...startedBy(process.argv[1]),
    onSignal,
    openLocal: async (options) => (await import('./open-local.ts')).openLocal(options),
    async serve(options) {
      // A server logs them instead.
      stray.stop()
      await (await import('./serve.ts')).serve(options)
    },
    check: async (options) => {
      const { checkTools } = await import('./check-tools.ts')
      return withoutPrints(() => checkTools(options))
    },
    toolTypes: async (options) => {
      const { loadToolTypes } = await import('./tool-types.ts')
      return withoutPrints(() => loadToolTypes(options))
    },
    migrate: async (options, onProgress) =>
      (await import('./data/migrate.ts')).migrate(options, onProgress),
    writeBackup: async (response, target) =>
      (await import('./data/write-backup.ts')).writeBackup(response, target),
    writeDownload: async (response, target) =>
      (await import('./data/write-download.ts')).writeDownload(response, target),
    restore: async (request) => (await import('./data/restore-backup.ts')).restoreBackup(request),
    verifyBackup: async (request) =>
      (await import('./data/restore-backup.ts')).verifyBackup(request),
    doctor: async (options) => {
      const { examine } = await import('./doctor.ts')
      return withoutPrints(() => examine(options))
    },
    findSetup: async (cwd) => (await import('./config/load-config.ts')).findSetup(cwd),
    packSkill: async (place) =>
      (await import('../features/skills/files/read-skill-folder.ts')).packSkill(place),
    ...inCheckout(),
  }
  return runCli(argv, environment)
}

/** Output of tools during loading is not part of the command's output. */
async function withoutPrints<T>(load: () => Promise<T>): Promise<T> {
  const restore = printToStderr()
  return load().finally(restore)
}

function onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): () => void {
  process.on('SIGINT', listener)
  process.on('SIGTERM', listener)
  return () => {
    process.off('SIGINT', listener)
    process.off('SIGTERM', listener)
  }
}

/** By its full path, which also works without a shell; npx may delete its copy at any time. */
function startedBy(file: string | undefined): Pick<CliEnvironment, 'program'> {
  if (file === undefined || /[\\/]_npx[\\/]/.test(file)) return {}
  return { program: [process.execPath, path.resolve(file)] }
}

/** The published package does not contain the benchmarks. */
function inCheckout(): Pick<CliEnvironment, 'bench' | 'checkout'> {
  const file = new URL('../../bench/run.ts', import.meta.url)
  if (!existsSync(file)) return {}
  const bench: CliEnvironment['bench'] = async (args) => {
    const { runBench } = (await import(file.href)) as {
      runBench(args: readonly string[]): Promise<number>
    }
    return runBench(args)
  }
  const folder = fileURLToPath(new URL('../..', import.meta.url))
  return {
    bench,
    checkout: { folder, isBuilt: existsSync(path.join(folder, 'dist/app/index.d.ts')) },
  }
}
