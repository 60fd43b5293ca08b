const readable = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/

/** The media type to keep a file with. Servers send anything in its place. */
export function artifactTypeOf(mediaType: string, usual = 'application/octet-stream'): string {
  return readable.test(mediaType) ? mediaType : usual
}
