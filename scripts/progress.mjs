/** How long something may take before a line about it appears, and how often a log hears of it. */
const patienceMs = 1500
const logEveryMs = 5000

/** One line for people, on stderr: stdout belongs to what the command itself has to say. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/**
 * Waits for work and shows that it goes on: a moving line on a terminal, a line now and then in a
 * log, nothing at all when it is quick.
 *
 * @template T
 * @param {string} label what is going on, as in `Installing packages`
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(label, work) {
  const stopShowing = showProgress(label)
  try {
    return await work
  } finally {
    stopShowing()
  }
}

function showProgress(label) {
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1000)
  const isTerminal = process.stderr.isTTY && process.env.TERM !== 'dumb' && !process.env.CI
  let timer
  let shown = false
  const show = () => {
    if (isTerminal) process.stderr.write(`\r\x1b[K${label} … ${seconds()} s`)
    else say(shown ? `${label} … ${seconds()} s` : `${label} …`)
    shown = true
    timer = setTimeout(show, isTerminal ? 200 : logEveryMs)
  }
  timer = setTimeout(show, patienceMs)
  return () => {
    clearTimeout(timer)
    if (!shown) return
    if (isTerminal) process.stderr.write('\r\x1b[K')
    say(`${label}: ${seconds()} s`)
  }
}
