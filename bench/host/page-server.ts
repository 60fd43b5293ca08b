/** Serves the pages that `pages.ts` fetches, in a process of its own. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostilePages } from './hostile-pages.ts'

const farMs = 50
const paragraph = `<p>${'The quick brown fox jumps over the <b>lazy</b> dog. '.repeat(12)}</p>`
const article = `<!doctype html><title>Page</title><main><h1>Page</h1>${paragraph.repeat(40)}</main>`
const pages: Readonly<Record<string, string>> = {
  '/near': article,
  '/far': article,
  ...hostilePages(),
}

const server = createServer(({ url = '' }, response) => {
  const html = pages[url]
  const send = () => {
    response.writeHead(html === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
    })
    response.end(html)
  }
  if (url === '/far') setTimeout(send, farMs)
  else send()
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}`, hostile: Object.keys(hostilePages()) })
})
process.on('disconnect', () => process.exit(0))
