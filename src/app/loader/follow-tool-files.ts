import path from 'node:path'
import type { LoadReport } from '../../core/crib-api.ts'
import type { ToolFileProblem } from '../../core/tools/tool-listing.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { Loader } from './create-loader.ts'

interface Following {
  /** The folder that file names are relative to. */
  base: string
  events: EventLog
  onWarning(message: string): void
}

/** A loader that knows which files fail to load, and reports changes of that. */
export interface FollowedLoader extends Loader {
  problems(): ToolFileProblem[]
}

/**
 * Records an event for every file that stops or starts to load, so that screens are updated. The
 * event omits the reason: error messages may contain anything, and the log keeps them for long.
 */
export function followToolFiles(loader: Loader, following: Following): FollowedLoader {
  const { base, events, onWarning } = following
  const problems = () => loader.reports().flatMap((report) => toProblem(report, base))
  let known: readonly ToolFileProblem[] = []
  async function tell(before: readonly ToolFileProblem[]): Promise<void> {
    const failed = known.filter((now) => !before.some((one) => isSame(one, now)))
    const loaded = before.filter(({ file }) => !known.some((one) => one.file === file))
    if (failed.length + loaded.length === 0) return
    const at = Date.now()
    const told = [
      ...failed.map(({ file, tools }) => ({
        type: 'tool.file_failed' as const,
        at,
        data: { file, tools: [...tools] },
      })),
      ...loaded.map(({ file }) => ({ type: 'tool.file_loaded' as const, at, data: { file } })),
    ]
    const principal = { kind: 'system', id: 'loader' } as const
    await events.record([{ tenant: defaultTenant, principal, events: told }])
  }
  return {
    ...loader,
    problems,
    async load() {
      const reports = await loader.load()
      known = problems()
      return reports
    },
    async reload(changed) {
      const result = await loader.reload(changed)
      const before = known
      known = problems()
      tell(before).catch((error: unknown) =>
        onWarning(`The state of the tool files could not be recorded: ${String(error)}`),
      )
      return result
    },
  }
}

function toProblem({ file, tools, error }: LoadReport, base: string): ToolFileProblem[] {
  if (error === undefined) return []
  const { message, line, column } = error
  return [
    {
      file: path.relative(base, file).replaceAll(path.sep, '/'),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
      message,
      tools,
    },
  ]
}

/** The same file with another error, or on another line, is reported again. */
function isSame(one: ToolFileProblem, other: ToolFileProblem): boolean {
  return one.file === other.file && one.message === other.message && one.line === other.line
}
