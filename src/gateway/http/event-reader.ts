/** Takes the data of server-sent events out of a text that comes in pieces. */
export function createEventReader(onData: (data: string) => void) {
  let held = ''
  return {
    /** How much is held of an event that has not ended. */
    get heldChars() {
      return held.length
    },
    push(text: string): void {
      held += text
      // Where an event ends: an empty line, whichever way lines end.
      const ends = /\r?\n\r?\n|\r\r/g
      let from = 0
      for (let end = ends.exec(held); end !== null; end = ends.exec(held)) {
        tellEvent(held.slice(from, end.index), onData)
        from = ends.lastIndex
      }
      held = held.slice(from)
    },
  }
}

function tellEvent(event: string, onData: (data: string) => void): void {
  const lines = event.split(/\r?\n|\r/)
  const type = lines
    .find((line) => line.startsWith('event:'))
    ?.slice('event:'.length)
    .trim()
  if (type !== undefined && type !== 'message') return
  const data = lines
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
  if (data.length > 0) onData(data.join('\n'))
}
