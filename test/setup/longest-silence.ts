/** The longest that a server took to answer its health route while this was done, in ms. */
export async function longestSilence(url: string, work: () => Promise<unknown>): Promise<number> {
  const state = { isOver: false, longestMs: 0 }
  const asking = (async () => {
    while (!state.isOver) {
      const askedAt = performance.now()
      await (await fetch(`${url}/healthz`)).text()
      state.longestMs = Math.max(state.longestMs, performance.now() - askedAt)
    }
  })()
  try {
    await work()
  } finally {
    state.isOver = true
    await asking
  }
  return state.longestMs
}
