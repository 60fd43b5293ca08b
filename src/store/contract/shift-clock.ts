/** Sets this machine's clock ahead or back, as this process sees it, while `work` runs. */
export async function withClock<T>(shiftMs: number, work: () => Promise<T>): Promise<T> {
  const right = Date.now
  Date.now = () => right() + shiftMs
  try {
    return await work()
  } finally {
    Date.now = right
  }
}
