/** A stream that is being read. */
export interface FollowedStream {
  text(): string
  isOver(): boolean
  leave(): Promise<void>
}

/** Reads a stream in the background. */
export function followStream(response: Response): FollowedStream {
  let text = ''
  let isOver = false
  const reader = response.body!.getReader()
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += new TextDecoder().decode(next.value)
    }
  }
  void read().then(
    () => (isOver = true),
    () => (isOver = true),
  )
  return { text: () => text, isOver: () => isOver, leave: () => reader.cancel() }
}
