/** Sets the clock of this machine ahead, or back, as far as this process can tell, while something is done. */
export async function withClock<T>(shiftMs: number, work: () => Promise<T>): Promise<T> {
  const right = Date.now
  Date.now = () => right() + shiftMs
  try {
    return await work()
  } finally {
    Date.now = right
  }
}
