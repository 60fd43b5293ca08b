/** Begins a line on the stderr of a server under test: an event was written otherwise than described. */
export const misfitMark = 'Written otherwise than described: '
