/** Takes the data of server-sent events out of a text that comes in pieces. */
export function createEventReader(onData: (data: string) => void) {
  let pieces: string[] = []
  let heldChars = 0
  let edge = ''

  function hold(text: string): void {
    pieces = [text]
    heldChars = text.length
  }
  return {
    /** How much is held of an event that has not ended. */
    get heldChars() {
      return heldChars
    },
    push(text: string): void {
      // The buffered text contains no end of an event. Searching it again with every piece would
      // cost its square.
      const hasEnd = eventEnd.test(edge + text)
      pieces.push(text)
      heldChars += text.length
      if (hasEnd) hold(tellEvents(pieces.join(''), onData))
      edge = (edge + text).slice(-longestEnd + 1)
    },
  }
}

/** Where an event ends: an empty line, whichever way lines end. */
const eventEnd = /\r?\n\r?\n|\r\r/
const longestEnd = 4

/** Returns what is left of one that has not ended. */
function tellEvents(text: string, onData: (data: string) => void): string {
  const ends = new RegExp(eventEnd, 'g')
  let from = 0
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    tellEvent(text.slice(from, end.index), onData)
    from = ends.lastIndex
  }
  return text.slice(from)
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
