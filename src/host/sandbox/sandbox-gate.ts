import type { SandboxState } from '../../core/host/sandbox.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { DriverVerdict, SandboxDriver } from './driver.ts'
import { keepVerdict, readKeptVerdict } from './kept-verdict.ts'

/** Decides whether commands may run at all. */
export interface SandboxGate {
  state(): Promise<SandboxState>
  known(): SandboxState | undefined
  /** Checks again. */
  run(): Promise<SandboxState>
  /** Resolves if commands may run; throws `sandbox_unavailable` otherwise. */
  assertSafe(): Promise<void>
}

interface CheckOptions {
  driver(): Promise<SandboxDriver>
  /** Where a result is kept for the next start. */
  data: string
  onChecked(state: SandboxState): void
}

/** A failed check is repeated after this time, when a tool needs the sandbox. */
const retryMs = 30_000

export function createSandboxGate({ driver, data, onChecked }: CheckOptions): SandboxGate {
  let last: Promise<SandboxState> | undefined
  let lastAt = 0
  let known: SandboxState | undefined

  function check(isFresh: boolean): Promise<SandboxState> {
    lastAt = performance.now()
    const found = find(isFresh)
    last = found
    found.then(
      (state) => (known = state),
      // The next one who asks tries again.
      () => (last = undefined),
    )
    return found
  }

  async function find(isFresh: boolean): Promise<SandboxState> {
    const found = await driver()
    const fingerprint = await found.fingerprint().catch(() => undefined)
    const kept =
      isFresh || fingerprint === undefined ? undefined : await readKeptVerdict(data, fingerprint)
    if (kept !== undefined) return toState(found, kept)
    const startedAt = performance.now()
    const verdict = await found.verify().catch(toVerdict)
    const durationMs = Math.round(performance.now() - startedAt)
    const result = { verdict, checkedAt: new Date().toISOString(), durationMs }
    if (fingerprint !== undefined) await keepVerdict(data, fingerprint, result)
    const state = toState(found, result)
    onChecked(state)
    return state
  }

  const state = () => last ?? check(false)
  return {
    state,
    known: () => known,
    run: () => check(true),
    async assertSafe() {
      const known = await state()
      if (known.state !== 'unavailable') return
      const now = performance.now() - lastAt > retryMs ? await check(true) : known
      if (now.state !== 'unavailable') return
      throw new ToolError(
        'sandbox_unavailable',
        `Programs are off: ${now.reason ?? 'no sandbox'}`,
        {
          ...(now.fix !== undefined && { fix: now.fix }),
        },
      )
    },
  }
}

function toVerdict(error: unknown): DriverVerdict {
  const reason = error instanceof Error ? error.message : String(error)
  const fix = error instanceof ToolError ? error.fix : undefined
  return { isSafe: false, limits: 'none', checks: [], reason, ...(fix !== undefined && { fix }) }
}

interface Result {
  verdict: DriverVerdict
  checkedAt: string
  durationMs: number
}

function toState(
  { name }: SandboxDriver,
  { verdict, checkedAt, durationMs }: Result,
): SandboxState {
  const { isSafe, limits, checks, reason, fix } = verdict
  const state = !isSafe ? 'unavailable' : name === 'none' ? 'unsandboxed' : 'verified'
  return {
    driver: name,
    state,
    limits,
    checks,
    checkedAt,
    durationMs,
    ...(reason !== undefined && { reason }),
    ...(fix !== undefined && { fix }),
  }
}
