/** Between two looks whether the store is back. */
const lookAgainMs = 1_000

/** A rest before the store is asked again; many streams do not all come back in the same moment. */
export function restInOutage(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lookAgainMs * (0.5 + Math.random())))
}
