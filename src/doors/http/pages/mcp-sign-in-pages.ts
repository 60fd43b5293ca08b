import { isToolError } from '../../../core/kernel/errors.ts'
import type { McpSignInAnswer } from '../../../core/gateway/mcp-servers-api.ts'
import { readForm } from '../request/form-body.ts'
import { checkForeignOrigin } from '../request/identify.ts'
import { json } from '../reply.ts'
import type { Reply } from '../reply.ts'
import type { DoorRequest } from '../route.ts'
import { html } from './html.ts'
import { notice } from './layout.ts'
import { notFoundPage } from './not-found-page.ts'
import { isRefusal, statusOf } from './sign-in-pages.ts'
import type { SitePage } from './site-page.ts'
import { view } from './view.ts'

const title = 'Sign in to an MCP server'
const fields = ['state', 'code', 'iss', 'error'] as const

/** Where authorization servers of MCP servers send people back to. */
export const mcpSignInPages: readonly SitePage[] = [
  ['get', '/oauth/callback', comeBack],
  ['post', '/oauth/callback', confirm],
  ['get', '/oauth/client-metadata.json', clientMetadata],
]

/**
 * A sign-in begun by the person who is signed in on this browser is finished at once. One begun by
 * a key may have been sent here by somebody else, who would then act with this person's account:
 * the page asks first.
 */
async function comeBack({ door, request }: DoorRequest): Promise<Reply> {
  const answer = readAnswer(new URL(request.url).searchParams)
  return shown(async () => {
    const browser = await findBrowser({ door, request })
    const offer = await door.api.findMcpSignIn(answer.state, browser)
    if (offer.isOwn || answer.code === undefined) {
      return connected(await door.api.finishMcpSignIn(answer, browser))
    }
    return view(200, { title, content: question(offer, answer) })
  })
}

async function confirm({ door, request }: DoorRequest): Promise<Reply> {
  checkForeignOrigin(request, door.publicUrl)
  const answer = readAnswer(await readForm(request))
  return shown(async () => {
    const browser = await findBrowser({ door, request })
    return connected(await door.api.finishMcpSignIn(answer, browser))
  })
}

function clientMetadata({ door, request }: DoorRequest): Reply {
  const metadata = door.api.mcpClientMetadata()
  if (metadata !== undefined) return json(200, metadata)
  const { pathname } = new URL(request.url)
  return view(404, { title: 'Not found', content: notFoundPage(pathname) })
}

/** The person who is signed in here, if anybody is. */
async function findBrowser({ door, request }: Pick<DoorRequest, 'door' | 'request'>) {
  try {
    return await door.browser.find(request)
  } catch (error) {
    if (isToolError(error) && isRefusal(error)) return undefined
    throw error
  }
}

function readAnswer(given: URLSearchParams): McpSignInAnswer {
  const found = fields.flatMap((name) => {
    const value = given.get(name)
    return value === null || value === '' ? [] : [[name, value.slice(0, 4096)] as const]
  })
  return { state: '', ...Object.fromEntries(found) }
}

function question(
  { server, tenant, who }: { server: string; tenant: string; who: string },
  answer: McpSignInAnswer,
) {
  return notice(
    `Connect ${server}?`,
    html`<p>
        <strong>${who}</strong> of the tenant <strong>${tenant}</strong> will use the MCP server
        <strong>${server}</strong> with the account you have just signed in with. Continue only if
        you began this yourself.
      </p>
      <form class="form" method="post" action="/oauth/callback">
        ${fields.map((name) =>
          answer[name] === undefined
            ? ''
            : html`<input type="hidden" name="${name}" value="${answer[name]}" />`,
        )}
        <button class="primary">Connect</button>
      </form>`,
  )
}

function connected({ server }: { server: string }): Reply {
  const content = notice(
    `You are signed in to ${server}`,
    html`<p>You can close this page and go back to where you were.</p>`,
  )
  return view(200, { title, content })
}

async function shown(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    if (!isRefusal(error)) throw error
    const content = notice(
      'The sign-in failed',
      html`<p>${error.message}.</p>
        <p>${error.fix ?? ''}</p>`,
    )
    return view(statusOf(error), { title, content })
  }
}
