/** Runs work, and resolves with its end. */
export type InTurn = (work: () => Promise<void>) => Promise<void>

/**
 * One work after the other. One that does not end holds up those behind it for no longer than this:
 * a connection that broke silently looks the same for half a minute.
 */
export function createTurns(patienceMs: number): InTurn {
  let before: Promise<unknown> = Promise.resolve()
  return (work) => {
    const begun = before.then(() => ({ end: work() }))
    before = begun.then(({ end }) => endOrPatience(end, patienceMs))
    return begun.then(({ end }) => end)
  }
}

function endOrPatience(end: Promise<void>, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs)
    const goOn = () => {
      clearTimeout(timer)
      resolve()
    }
    end.then(goOn, goOn)
  })
}
