/** No such program is in the PATH, or at its path. */
export const programMissing = 'its program was not found'

/** It was to run in a folder that is not there. */
export const folderMissing = 'its folder was not found'

/** The exit code of a shell, replaced by the program, that found no such program. */
const shellFoundNone = 127

/** Why a process has ended. Everybody who may use its tools gets to see this, so nothing of what it wrote is in it. */
export function whyEnded(code: number | null, signal: string | null): string {
  if (code === shellFoundNone) return programMissing
  const how =
    signal === null ? `ended with exit code ${code ?? 'unknown'}` : `was ended by ${signal}`
  return `its process ${how}`
}

/** Why there is no process. The shell is always there, so what is missing is the folder. */
export function whyNotStarted({ code = 'unknown' }: NodeJS.ErrnoException): string {
  if (code !== 'ENOENT') return `it could not be started (${code})`
  return process.platform === 'win32' ? programMissing : folderMissing
}
